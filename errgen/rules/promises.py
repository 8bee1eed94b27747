"""Rules about promises to clients: the body carries what it must, and what is concealed or replaced leads somewhere."""

from collections.abc import Iterator
from typing import Final

from errgen.codes import DiagnosticCode as Code
from errgen.diagnostics import Diagnostic, finding
from errgen.rules.accepted import Entry
from errgen.rules.facts import Facts
from errgen.rules.references import circles
from errgen.rules.registry import rule
from errgen.rules.shape import FIELD_KINDS

_ALWAYS_SET: Final = frozenset(
    ("code", "name", "category", "layer", "message", "retryable", "safe_to_retry", "severity")
)


@rule(Code.VARIES_NOT_CARRIED)
def varies_not_carried(facts: Facts) -> Iterator[Diagnostic]:
    """What varies travels in the body."""
    sources = _sources(facts)
    if not facts.is_whole("response") or sources is None or "retryable" in sources:
        return
    used = {policy[0] for entry in facts.errors.values() if (policy := facts.policy(entry))}
    for name in used:
        if facts.policies[name]["retryable"] == "varies":
            place = facts.at("retry_policies", name, "retryable")
            yield finding(Code.VARIES_NOT_CARRIED, place, policy=name)


@rule(Code.RESPONSE_IDENTITY)
def response_identity(facts: Facts) -> Iterator[Diagnostic]:
    """The body says which error it is."""
    sources = _sources(facts)
    if facts.sections["response"] and sources is not None and not sources & {"code", "name"}:
        yield finding(Code.RESPONSE_IDENTITY, facts.at("response", "fields", key=True))


@rule(Code.RESPONSE_UNSET)
def response_unset(facts: Facts) -> Iterator[Diagnostic]:
    """A field that must be there has a value in every error that is sent as a body."""
    sent = [
        (name, entry)
        for name, entry in facts.errors.items()
        if facts.wire(entry) != "jsonrpc-error" and entry.get("visibility") != "internal"
    ]
    for path, field in facts.fields():
        source = field.get("from", "code")
        if source in _ALWAYS_SET or field.get("optional") or field.get("nullable"):
            continue
        lacking = [name for name, entry in sent if not _has(facts, entry, source)]
        if lacking:
            # Where several errors lack it, it is the field that promises too much.
            place = path if lacking[1:] else ("errors", lacking[0])
            more = f" and {len(lacking) - 1} more" if lacking[1:] else ""
            yield finding(
                Code.RESPONSE_UNSET,
                facts.at(*place, key=True),
                name=lacking[0] + more,
                source=source,
                field=".".join(map(str, path[2::2])),
            )


@rule(Code.CONCEALMENT)
def concealment(facts: Facts) -> Iterator[Diagnostic]:
    """An internal error is told as a public one, and only an internal one is."""
    covers = facts.concealments
    in_circle = {name for circle in circles(covers) for name in circle}
    for name, entry in facts.errors.items():
        key = "conceal_as" if "conceal_as" in entry else "visibility"
        cover = None if name in in_circle else facts.errors.get(covers.get(name, ""))
        if found := _misconcealed(facts, name, entry, cover):
            problem, remedy = found
            place = facts.at("errors", name, key)
            yield finding(Code.CONCEALMENT, place, name=name, problem=problem, help=remedy)


def _misconcealed(
    facts: Facts, name: str, entry: Entry, cover: Entry | None
) -> tuple[str, str] | None:
    """Return what contradicts the visibility of an error, and what to write instead; `cover` conceals it."""
    internal, conceal = entry.get("visibility") == "internal", entry.get("conceal_as")
    if conceal is None:
        remedy = "write conceal_as: <a public error>, or leave visibility: internal out"
        return ("is internal but has no conceal_as", remedy) if internal else None
    if not internal:
        remedy = "write visibility: internal, or leave conceal_as out"
        return "has conceal_as but is not internal", remedy
    if cover is None:
        return None
    if cover.get("visibility") == "internal":
        return (
            f"is concealed as {conceal}, which is internal itself",
            "write conceal_as: <a public error>",
        )
    if None not in (layers := (facts.layer(cover), facts.layer(entry))) and len({*layers}) > 1:
        return (
            f"is concealed as {conceal}, which is in another layer",
            f"write conceal_as: <a public error of the layer '{layers[1]}'>",
        )
    if lacking := [
        param for param in cover.get("params", ()) if param not in entry.get("params", ())
    ]:
        return (
            f"is concealed as {conceal} but has no param '{lacking[0]}', which that needs",
            _supplied(name, entry, lacking),
        )
    return None


def _supplied(name: str, entry: Entry, lacking: list[str]) -> str:
    """Return how an error gets the params that the message of its cover takes."""
    private = entry.get("private_params", ())
    moved = [param for param in lacking if param in private]
    added = [param for param in lacking if param not in private]
    steps = [f"add {' and '.join(added)} to the params of {name}"] if added else []
    if moved:
        steps.append(f"move {' and '.join(moved)} to its params if a client may see that")
    return f"{', and '.join(steps)}; or conceal it as an error without params"


@rule(Code.REPLACEMENT_DEPRECATED)
def replacement_deprecated(facts: Facts) -> Iterator[Diagnostic]:
    """Whoever follows the advice of a deprecation moves once."""
    replacements = facts.replacements
    in_circle = {name for circle in circles(replacements) for name in circle}
    for name, target in replacements.items():
        if "deprecated" in facts.errors.get(target, {}) and target not in in_circle:
            place = facts.at("errors", name, "deprecated", "replaced_by")
            other = facts.errors[name]["deprecated"]["replaced_by"]
            yield finding(Code.REPLACEMENT_DEPRECATED, place, name=name, other=other)


def _sources(facts: Facts) -> set[str] | None:
    """Return what the fields of the response are filled from, or None where a field does not say it clearly."""
    fields = [field for _, field in facts.fields()]
    if any(sum(kind in field for kind in FIELD_KINDS) != 1 for field in fields):
        return None
    return {field["from"] for field in fields if "from" in field}


def _has(facts: Facts, entry: Entry, source: str) -> bool:
    recovery, policy = entry.get("recovery", {}), facts.policy(entry)
    match source:
        case "recovery_action":
            return "action" in recovery
        case "recovery_hint":
            return "hint" in recovery
        case "retry_after_seconds" | "retry_after_ms":
            # Where it varies, an error that is not retryable has no wait.
            return policy is None or ("retry_after" in policy[1] and policy[1]["retryable"] is True)
        case "docs_url":
            return "docs_url" in facts.data
        case _:
            return entry.get(source) is not None
