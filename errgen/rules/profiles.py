"""Rules of a layer's profile: what the specification of a protocol says of codes of JSON-RPC errors.

JSON-RPC 2.0, section 5.1 "Error object". MCP 2025-11-25: Resources, "Error Handling" (-32002), and Elicitation, "Error
Handling" (-32042). MCP 2026-07-28: Base Protocol, Overview, "Error Codes", which also retires those two.
"""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from errgen.codes import DiagnosticCode as Code
from errgen.diagnostics import Diagnostic, finding
from errgen.rules.accepted import Entry
from errgen.rules.facts import Facts
from errgen.rules.registry import rule

BAND: Final = range(-32768, -31999)
_SERVER: Final = range(-32099, -31999)
_MCP_LEGACY: Final = range(-32019, -31999)
_MCP_2026: Final = "mcp-2026-07-28"
_MCP_RETIRED: Final = (-32002, -32042)


class _Meaning(NamedTuple):
    name: str
    section: str


def _meanings(section: str, names: Mapping[int, str]) -> dict[int, _Meaning]:
    return {code: _Meaning(name, section) for code, name in names.items()}


_JSONRPC: Final = _meanings(
    "JSON-RPC 2.0, section 5.1",
    {
        -32700: "PARSE_ERROR",
        -32600: "INVALID_REQUEST",
        -32601: "METHOD_NOT_FOUND",
        -32602: "INVALID_PARAMS",
        -32603: "INTERNAL_ERROR",
    },
)
_STANDARD: Final = {
    "jsonrpc-2.0": _JSONRPC,
    "mcp-2025-11-25": _JSONRPC
    | _meanings("Resources, Error Handling", {-32002: "RESOURCE_NOT_FOUND"})
    | _meanings("Elicitation, Error Handling", {-32042: "URL_ELICITATION_REQUIRED"}),
    _MCP_2026: _JSONRPC
    | _meanings(
        "Base Protocol, Error Codes",
        {
            -32020: "HEADER_MISMATCH",
            -32021: "MISSING_REQUIRED_CLIENT_CAPABILITY",
            -32022: "UNSUPPORTED_PROTOCOL_VERSION",
        },
    ),
}


def waivable(layer: Entry, name: str, entry: Entry, code: int) -> bool:
    """Tell whether a profile or JSON-RPC's band says something against a code that a waiver excuses."""
    meaning = _other_meaning(layer, name, entry, code)
    return (
        _leaves_band(layer, code)
        or bool(_reservation(layer, code))
        or (meaning is not None and code in _SERVER)
    )


def _leaves_band(layer: Entry, code: int) -> bool:
    """Tell whether a code lies outside the band in which a layer of JSON-RPC errors stays.

    MCP 2026-07-28 sends application codes as JSON-RPC errors outside the band, so its profile allows them.
    """
    return (
        layer.get("wire") == "jsonrpc-error" and _profile(layer) != _MCP_2026 and code not in BAND
    )


def _reservation(layer: Entry, code: int) -> str:
    """Return what the profile's specification says against a code to which it gives no meaning, or nothing."""
    profile = _profile(layer)
    if not profile or code not in BAND or code in _STANDARD[profile]:
        return ""
    if code not in _SERVER:
        return "it lies in the part of the band that JSON-RPC keeps for future use"
    if profile != _MCP_2026:
        return ""
    if code in _MCP_LEGACY:
        return "-32000..-32019 is legacy, where nothing new is allocated"
    return "-32020..-32099 belongs to the specification"


def _other_meaning(layer: Entry, name: str, entry: Entry, code: int) -> _Meaning | None:
    """Return what the profile's specification means by a code, if that is not what the error is called."""
    meaning = _STANDARD.get(_profile(layer), {}).get(code)
    return meaning if meaning and meaning.name not in (name, *entry.get("aliases", ())) else None


def _is_retired(layer: Entry, code: object) -> bool:
    return _profile(layer) == _MCP_2026 and code in _MCP_RETIRED


def _profile(layer: Entry) -> str:
    """Return the profile of a layer where it applies: to what is sent as JSON-RPC errors."""
    return str(layer.get("profile", "")) if layer.get("wire") == "jsonrpc-error" else ""


@rule(Code.PROTOCOL_CODE)
def protocol_code(facts: Facts) -> Iterator[Diagnostic]:
    """A layer of JSON-RPC errors stays inside JSON-RPC's band, unless a waiver says why not."""
    for name, entry, code, layer in facts.numbered():
        if _leaves_band(facts.layers[layer], code) and "range_waiver" not in entry:
            place = facts.at("errors", name, "code")
            yield finding(Code.PROTOCOL_CODE, place, what=f"code {code} of {name}", layer=layer)


@rule(Code.PROFILE_WIRE)
def profile_wire(facts: Facts) -> Iterator[Diagnostic]:
    """A profile is for layers of integers that are sent as JSON-RPC errors."""
    for name, layer in facts.layers.items():
        if "profile" in layer and (layer["code"], layer.get("wire")) != (
            "integer",
            "jsonrpc-error",
        ):
            place = facts.at("layers", name, "profile")
            yield finding(Code.PROFILE_WIRE, place, layer=name, profile=layer["profile"])


@rule(Code.STANDARD_CODE)
def standard_code(facts: Facts) -> Iterator[Diagnostic]:
    """A code to which the specification gives a meaning has that meaning.

    A waiver excuses another meaning only among the codes that JSON-RPC leaves to implementations.
    """
    for name, entry, code, layer in facts.numbered():
        body = facts.layers[layer]
        meaning = _other_meaning(body, name, entry, code)
        if meaning and not ("range_waiver" in entry and code in _SERVER):
            yield finding(
                Code.STANDARD_CODE,
                facts.at("errors", name, "code"),
                code=code,
                meaning=meaning.name,
                profile=body["profile"],
                section=meaning.section,
                name=name,
            )


@rule(Code.RETIRED_CODE)
def retired_code(facts: Facts) -> Iterator[Diagnostic]:
    """A code that the specification has retired is not sent, by an error of the layer nor in place of another's."""
    for name, _, code, layer in facts.numbered():
        if _is_retired(facts.layers[layer], code):
            place = facts.at("errors", name, "code")
            yield finding(Code.RETIRED_CODE, place, code=code, name=name, profile=_MCP_2026)
    speaks_2026 = any(_profile(layer) == _MCP_2026 for layer in facts.layers.values())
    for name, entry in facts.errors.items():
        if speaks_2026 and entry.get("jsonrpc_code") in _MCP_RETIRED:
            place, code = facts.at("errors", name, "jsonrpc_code"), entry["jsonrpc_code"]
            yield finding(Code.RETIRED_CODE, place, code=code, name=name, profile=_MCP_2026)


@rule(Code.PROFILE_RESERVED)
def profile_reserved(facts: Facts) -> Iterator[Diagnostic]:
    """A code that the specification keeps for itself is not allocated, unless a waiver says why."""
    for name, entry, code, layer in facts.numbered():
        body = facts.layers[layer]
        if "range_waiver" not in entry and (reason := _reservation(body, code)):
            place = facts.at("errors", name, "code")
            yield finding(
                Code.PROFILE_RESERVED,
                place,
                code=code,
                name=name,
                profile=body["profile"],
                reason=reason,
            )
