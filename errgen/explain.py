"""Explain one error in the terminal: catalogs and a code or name flow in, what the docs say flows out as text."""

import re
import textwrap
from collections.abc import Iterator, Mapping
from typing import Final

from errgen import codes
from errgen.diagnostics import ErrgenError, Location, finding
from errgen.guidance import OUTCOME, RECOVERY, advice, retry_word, schedule
from errgen.model import Catalog, ErrorSpec, Reservation
from errgen.words import closest

_WIDTH: Final = 88
_LABEL: Final = 14
_INTEGER: Final = re.compile(r"[-+]?(?:0x[0-9a-f]+|[0-9]+)", re.IGNORECASE)


def explain(catalogs: Mapping[str, Catalog], wanted: str) -> str:
    """Return what the catalogs, by their paths, say of a code (decimal or hexadecimal), a name or an alias.

    Reserved codes are explained too, and those of errgen's own findings. Raises ErrgenError for an unknown one.
    """
    found = [text for catalog in catalogs.values() for text in _matches(catalog, wanted)]
    if not found and (own := codes.find(wanted.upper()) or codes.find_by_name(wanted.upper())):
        found = [_own(own)]
    if found:
        return "\n".join(found)
    known = [
        str(name)
        for catalog in catalogs.values()
        for error in catalog.errors
        for name in _names(error)
    ]
    place = Location(", ".join(catalogs))
    raise ErrgenError(
        [
            finding(
                codes.DiagnosticCode.UNKNOWN_CODE, place, wanted=wanted, help=closest(wanted, known)
            )
        ]
    )


def _names(error: ErrorSpec) -> tuple[int | str, ...]:
    return (error.code, error.name, *error.aliases)


def _matches(catalog: Catalog, wanted: str) -> Iterator[str]:
    number = int(wanted, 0 if "x" in wanted.lower() else 10) if _INTEGER.fullmatch(wanted) else None
    for error in catalog.errors:
        if wanted in (str(error.code), error.name, *error.aliases) or error.code == number:
            yield _error(catalog, error)
    for item in catalog.reserved:
        if wanted in (str(item.code), item.name) or _holds(item, number, wanted):
            yield _reserved(item, wanted)


def _holds(item: Reservation, number: int | None, wanted: str) -> bool:
    if item.code is not None and item.code == number:
        return True
    if item.first is not None and item.last is not None:
        return number is not None and item.first <= number <= item.last
    return item.prefix is not None and wanted.startswith(item.prefix)


def _error(catalog: Catalog, error: ErrorSpec) -> str:
    title = error.name if str(error.code) == error.name else f"{error.code} {error.name}"
    lines = [f"{title} ({catalog.name} {catalog.version})", _filled(error.message)]
    if error.deprecated:
        instead = error.deprecated.replaced_by
        use = f" Use {instead.name} instead." if instead else ""
        lines.append(
            _filled(f"Deprecated since {error.deprecated.since}: {error.deprecated.reason}.{use}")
        )
    if error.description:
        lines += ["", textwrap.indent(error.description, "  ")]
    lines.append("")
    lines += [
        f"  {label:<{_LABEL}}{_hanging(text)}" for label, text in _rows(catalog, error) if text
    ]
    return "\n".join(lines) + "\n"


def _rows(catalog: Catalog, error: ErrorSpec) -> Iterator[tuple[str, str]]:
    category = error.category
    yield "category", (
        category.title if category.title == category.name else f"{category.title} ({category.name})"
    )
    yield "layer", f"{error.layer.name}, sent as {error.layer.wire}"
    yield "what to do", " ".join(
        filter(None, (RECOVERY.get(error.recovery_action or "", ""), error.recovery_hint))
    )
    yield "retry", f"{retry_word(error)} ({error.policy.name}): {schedule(error.policy)}"
    if error.retryable is not False:
        told = advice(catalog.operations, error.policy, error.safe_to_retry, error.outcome)
        yield "repeats", told.replace("`", "")
    yield "outcome", OUTCOME.get(error.outcome or "", "")
    for param in error.params:
        yield f"{{{param.name}}}", (
            f"{param.type}: {param.description}" if param.description else param.type
        )
    yield "http status", str(error.http_status or "")
    yield "grpc status", error.grpc_status or ""
    yield "json-rpc code", str(error.jsonrpc_code or "")
    yield "severity", error.severity
    if error.conceal_as:
        yield "visibility", f"internal; callers are told {error.conceal_as.name}"
    yield "aliases", ", ".join(error.aliases)
    yield "tags", ", ".join(error.tags)
    yield "since", error.since or ""
    yield "waiver", error.range_waiver
    for example in error.examples:
        yield "example", example.message
    yield "see also", ", ".join(
        link.url or (link.error.name if link.error else "") for link in error.see_also
    )
    yield "docs", error.docs_url or ""


def _reserved(item: Reservation, wanted: str) -> str:
    span = (
        f"{item.first} to {item.last}"
        if item.first is not None
        else f"codes that begin with {item.prefix}"
    )
    named = " ".join(str(part) for part in (item.code, item.name) if part is not None)
    since = f" since {item.since}" if item.since else ""
    lines = [f"{named or wanted} is reserved{since}: {item.reason}"]
    if not named:
        lines.append(f"  reserved      {span}")
    if item.replaced_by:
        lines.append(f"  use           {item.replaced_by.name} ({item.replaced_by.code})")
    return "\n".join(lines) + "\n"


def _own(rule: codes.ErrorSpec) -> str:
    lines = [f"{rule.code} {rule.name} (a finding of errgen)", _filled(rule.message), ""]
    lines.append(textwrap.indent(rule.description, "  "))
    lines += ["", f"  {'what to do':<{_LABEL}}{_hanging(rule.recovery_hint)}"]
    for key, label in (("x-bad", "instead of"), ("x-good", "write")):
        if key in rule.extensions:
            lines += ["", f"  {label}", textwrap.indent(str(rule.extensions[key]).rstrip(), "    ")]
    return "\n".join(lines) + "\n"


def _filled(text: str) -> str:
    return textwrap.fill(text, _WIDTH, initial_indent="  ", subsequent_indent="  ")


def _hanging(text: str) -> str:
    return textwrap.fill(text, _WIDTH - _LABEL - 2).replace("\n", "\n" + " " * (_LABEL + 2))
