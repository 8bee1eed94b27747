"""Rules about names: unique in the catalog, distinct in each target language, not taken by what errgen generates."""

from collections.abc import Callable, Iterable, Iterator
from typing import Final, TypeAlias

from errgen.bodies import derived_types
from errgen.codes import DiagnosticCode as Code
from errgen.defaults import DEFAULT_LAYER
from errgen.diagnostics import Diagnostic, finding
from errgen.naming import TAKEN_PYTHON, TAKEN_TYPESCRIPT, camel, error_type, member, snake
from errgen.rules.facts import Facts
from errgen.rules.registry import rule
from errgen.shapes import Path

_Spellings: TypeAlias = tuple[tuple[str, Callable[[str], str]], ...]

_MEMBER: Final[_Spellings] = (("Python and TypeScript", member),)
_FUNCTION: Final[_Spellings] = (("Python", snake), ("TypeScript", camel))
_SPELLINGS: Final = (
    ("layers", "layer", _MEMBER),
    ("categories", "category", _MEMBER),
    ("retry_policies", "retry policy", _MEMBER),
    ("operations", "operation", _MEMBER),
    ("translations", "translation", _FUNCTION),
    ("errors", "error", _FUNCTION),
)
_PARAMS: Final = ("params", "private_params")
# Every type of a body has types of what a program may, and of what it must say in it.
_SUFFIXES: Final = ("", "Fields", "Context", "Open")
_DEFAULT_TYPES: Final = ("ErrorCode", error_type(DEFAULT_LAYER, "ErrorCode"))
_INHERITED: Final = "constructor"
_TAKEN: Final = (("Python", TAKEN_PYTHON), ("TypeScript", TAKEN_TYPESCRIPT))


@rule(Code.DUPLICATE_NAME)
def duplicate_name(facts: Facts) -> Iterator[Diagnostic]:
    """A name or alias finds one error."""
    seen = {name: ("errors", name) for name, owner in facts.names.items() if name == owner}
    for name, entry in facts.errors.items():
        for index, alias in enumerate(entry.get("aliases", ())):
            path = ("errors", name, "aliases", index)
            if alias in seen:
                first = facts.at(*seen[alias], key=True)
                yield finding(
                    Code.DUPLICATE_NAME,
                    facts.at(*path),
                    name=alias,
                    other=seen[alias][1],
                    line=first.line,
                    related=[first],
                )
            seen.setdefault(alias, ("errors", name))


@rule(Code.NAME_COLLISION)
def name_collision(facts: Facts) -> Iterator[Diagnostic]:
    """Names stay distinct when they are spelled as a target language spells them."""
    for section, what, spellings in _SPELLINGS:
        named = [(name, (section, name)) for name in facts.sections[section]]
        yield from _collisions(facts, what, [*named, *_aliases(facts, section)], spellings)
    for error, entry in facts.errors.items():
        # A param that is both public and private is another rule's finding.
        public, private = (
            {name: ("errors", error, key, name) for name in entry.get(key, ())} for key in _PARAMS
        )
        yield from _collisions(facts, "param", (public | private | public).items(), _FUNCTION)
    yield from _collisions(facts, "type", _types(facts), (("Python and TypeScript", str),))


def _aliases(facts: Facts, section: str) -> Iterator[tuple[str, Path]]:
    """Yield the other names of errors, each with its path; one that is found twice is another rule's finding."""
    if section == "errors":
        for name, entry in facts.errors.items():
            for index, alias in enumerate(entry.get("aliases", ())):
                if facts.names.get(alias) == name != alias:
                    yield alias, ("errors", name, "aliases", index)


@rule(Code.NAME_TAKEN)
def name_taken(facts: Facts) -> Iterator[Diagnostic]:
    """Enums, response types and private params are not called as something that the generated module needs."""
    # Without layers there is one all the same, with types of its own.
    own = () if "layers" in facts.data else _DEFAULT_TYPES
    for name, path in _types(facts):
        languages = [language for language, taken in _TAKEN if name in taken or name in own]
        if languages:
            language = " and ".join(languages)
            place = facts.at(*path, key=_is_key(path))
            yield finding(Code.NAME_TAKEN, place, what="type", name=name, language=language)
    for error, entry in facts.errors.items():
        # A private param may be left out, and whatever lacks a property of this name inherits one.
        if _INHERITED in entry.get("private_params", {}):
            place = facts.at("errors", error, "private_params", _INHERITED, key=True)
            yield finding(
                Code.NAME_TAKEN,
                place,
                what="private param",
                name=_INHERITED,
                language="TypeScript",
            )


def _types(facts: Facts) -> Iterator[tuple[str, Path]]:
    """Yield each type that the catalog names, or that is named after a field, with the path of what names it."""
    for layer, body in facts.sections["layers"].items():
        yield body["enum"], ("layers", layer, "enum")
        yield error_type(layer, body["enum"]), ("layers", layer)
    if response := facts.sections["response"]:
        for name, path in zip(derived_types(response), _origins(facts), strict=True):
            yield from ((name + suffix, path) for suffix in _SUFFIXES)


def _origins(facts: Facts) -> Iterator[Path]:
    response = facts.sections["response"]
    yield "response", "type"
    if "wrap" in response:
        yield "response", "wrap"
    yield from (path for path, field in facts.fields() if "fields" in field)
    if "success" in response:
        yield "response", "success"
        yield from (path for path, field in facts.fields("success") if "fields" in field)


def _is_key(path: Path) -> bool:
    return path[:2] not in (("response", "type"), ("response", "wrap")) and path[2:] != ("enum",)


def _collisions(
    facts: Facts, what: str, named: Iterable[tuple[str, Path]], spellings: _Spellings
) -> Iterator[Diagnostic]:
    named = list(named)
    reported: set[Path] = set()
    for language, spell in spellings:
        seen: dict[str, tuple[str, Path]] = {}
        for name, path in named:
            other, first = seen.setdefault(spell(name), (name, path))
            if first == path or path in reported:
                continue
            reported.add(path)
            place = facts.at(*first, key=_is_key(first))
            yield finding(
                Code.NAME_COLLISION,
                facts.at(*path, key=_is_key(path)),
                what=what,
                name=_written(name, path),
                other=_written(other, first),
                line=place.line,
                spelling=spell(name),
                language=language,
                related=[place],
            )


def _written(name: str, path: Path) -> str:
    """Return a name as the catalog writes it; a type may be named after the key of a field."""
    return str(path[-1]) if _is_key(path) and isinstance(path[-1], str) else name
