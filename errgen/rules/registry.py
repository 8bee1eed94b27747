"""The registry of rules: functions from Facts to findings go in, all findings about a catalog come out."""

from collections.abc import Callable, Iterator
from typing import Final, TypeAlias

from errgen.codes import DiagnosticCode
from errgen.diagnostics import Diagnostic, Location
from errgen.rules.facts import Facts

Rule: TypeAlias = Callable[[Facts], Iterator[Diagnostic]]
RULES: Final[dict[DiagnosticCode, Rule]] = {}

# The findings about a code: once it is changed for one of them, the others may be gone.
_ABOUT_CODES: Final = "EG2"


def rule(code: DiagnosticCode) -> Callable[[Rule], Rule]:
    """Enter a function into the registry as the rule that yields findings with `code`."""

    def register(function: Rule) -> Rule:
        RULES[code] = function
        return function

    return register


def check_rules(facts: Facts) -> Iterator[Diagnostic]:
    """Run every rule; of several findings about one code, or about text with an unsafe character, the first is kept."""
    unsafe = tuple(RULES[DiagnosticCode.UNSAFE_CHARACTER](facts))
    said: set[Location] = set()
    spoilt = {item.location for item in unsafe}
    yield from unsafe
    for code, function in RULES.items():
        if code is DiagnosticCode.UNSAFE_CHARACTER:
            continue
        found = [item for item in function(facts) if item.location not in spoilt]
        yield from (
            item
            for item in found
            if not item.code.startswith(_ABOUT_CODES) or item.location not in said
        )
        said.update(item.location for item in found if item.code.startswith(_ABOUT_CODES))
