"""Signatures of generated TypeScript that sends errors: layers and wire forms flow in, heads of functions flow out."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, TypeAlias

from errgen.filters.tscode import tscall, tsparams, tsshape
from errgen.model import Catalog, Layer, Translation
from errgen.naming import camel

# Some layers, and what a function returns for their errors.
_Group: TypeAlias = tuple[tuple[Layer, ...], str]
# What a translation is given, by its kind.
_TRANSLATED: Final = {
    "http-status": "status: number",
    "exception": "error: unknown",
    "code": "code: number | string",
}
_ANY_ID: Final = "number | string | null"
_ID: Final = "readonly requestId?: Id | undefined"
# Of each wire form: its function, what that returns, and its option beside the fields of the body.
_FORMS: Final = {
    "body": ("toResponse", "", ""),
    "jsonrpc-error": ("toJsonrpcError", "SentJsonrpcError<Id>", _ID),
    "jsonrpc-result": ("toJsonrpcResult", "SentJsonrpcResult<Id>", _ID),
    "mcp-tool-result": (
        "toToolResult",
        "SentToolResult",
        "readonly bodyIn?: BodyPlace | null | undefined",
    ),
    "http-problem": ("toProblem", "SentProblem", "readonly instance?: string | undefined"),
}


def tsforms(catalog: Catalog) -> dict[str, str]:
    """Return the wire form of each layer that has one, by the name of the layer."""
    return {
        layer.name: layer.wire
        for layer in catalog.layers
        if layer in catalog.wires[layer.wire] and (layer.wire != "body" or catalog.response)
    }


def tssender(catalog: Catalog, wire: str) -> str:
    """Return the head of the function that makes a wire form."""
    name, _, extra = _FORMS[wire]
    extra = extra if catalog.response or wire != "mcp-tool-result" else ""
    layers = catalog.wires[wire]
    protocol = tuple(layer for layer in layers if _is_protocol(layer))
    others = tuple(layer for layer in layers if not _is_protocol(layer))
    is_mixed = bool(protocol and others) and _needs(catalog, layers)
    groups = (protocol, others, layers) if is_mixed else (layers,)
    return _overloads(catalog, name, [(group, _returns(catalog, wire)) for group in groups], extra)


def tswire(catalog: Catalog) -> str:
    """Return the head of the function that makes the own wire form of any error."""
    names = tsforms(catalog)
    layers = tuple(layer for layer in catalog.layers if layer.name in names)
    groups: list[_Group] = [((layer,), _returns(catalog, layer.wire)) for layer in layers]
    if layers[1:]:
        groups.append((layers, " | ".join(dict.fromkeys(returns for _, returns in groups))))
    return _overloads(catalog, "toWire", groups, _ID)


def tstranslation(translation: Translation) -> str:
    """Return the head of the function that translates foreign errors; a param that comes later shifts no argument."""
    members = _params(translation)
    is_thrown = translation.kind == "exception"
    if translation.varies:
        members.append(
            f"readonly retryable{'?: boolean | undefined' if is_thrown else ': boolean'}"
        )
    is_needed = _needs_params(translation) or (translation.varies and not is_thrown)
    shape = f" & {tsshape(members, 2)}" if members else ""
    options = f"options: ErrorOptions{shape}{'' if is_needed else ' = {}'}"
    name = camel(f"translate_{translation.name}")
    tail = f": {translation.layer.error_type} {{"
    return tscall(f"export function {name}", [_TRANSLATED[translation.kind], options], tail)


def tsnet(catalog: Catalog, net: Translation) -> str:
    """Return the head of the function that makes a tool result of anything."""
    members = [f"readonly log?: ((error: {net.layer.error_type}) => unknown) | undefined"]
    members += _params(net)
    if catalog.response:
        members.append(_FORMS["mcp-tool-result"][2])
    if net.varies:
        members.append("readonly retryable?: boolean | undefined")
    members += _fields(catalog)
    shape = tsshape(members, 2)
    tail = "" if _needs(catalog, [net.layer]) else " = {}"
    options = f'options: Omit<ErrorOptions, "cause" | "fields"> & {shape}{tail}'
    return tscall("export function asToolResult", ["error: unknown", options], ": SentToolResult {")


def _params(translation: Translation) -> list[str]:
    """Return the option for the values of messages that the foreign error does not supply."""
    if not translation.params:
        return []
    shape = tsparams(translation.params).removeprefix("params: ").removesuffix(" = {}")
    is_needed = _needs_params(translation)
    return [f"readonly params: {shape}" if is_needed else f"readonly params?: {shape} | undefined"]


def _needs_params(translation: Translation) -> bool:
    return any(not param.is_private for param in translation.params)


def _overloads(catalog: Catalog, name: str, groups: Sequence[_Group], extra: str) -> str:
    """Return a signature for each group of layers; the last one has them all, and is that of the function itself."""
    heads = [
        _head(name, layers, _declared(catalog, layers, _known(extra, returns)), returns) + ";\n"
        for layers, returns in (groups if groups[1:] else ())
    ]
    layers, returns = groups[-1]
    is_relaxed = bool(heads)
    members = _members(catalog, layers, _known(extra, returns), is_relaxed=is_relaxed)
    tail = "" if _needs(catalog, layers) and not is_relaxed else " = {}"
    options = f"options: {tsshape(members, 2, tail)}" if members else ""
    return "".join(heads) + _head(name, layers, options, returns) + " {"


def _head(name: str, layers: Iterable[Layer], options: str, returns: str) -> str:
    errors = " | ".join(layer.error_type for layer in layers)
    name += f"<Id extends {_ANY_ID} = null>" if "<Id>" in returns else ""
    return tscall(f"export function {name}", [f"error: {errors}", options], f": {returns}")


def _known(extra: str, returns: str) -> str:
    """Return an option, which is of any type where what the function returns does not tell of it."""
    return extra if "<Id>" in returns else extra.replace("Id |", f"{_ANY_ID} |")


def _declared(catalog: Catalog, layers: Sequence[Layer], extra: str) -> str:
    """Return the last parameter of one of several signatures."""
    members = _members(catalog, layers, extra)
    name = "options" if _needs(catalog, layers) else "options?"
    return f"{name}: {tsshape(members, 2)}" if members else ""


def _members(
    catalog: Catalog, layers: Iterable[Layer], extra: str, *, is_relaxed: bool = False
) -> list[str]:
    """Return what a function that sends errors of some layers has to be told, and may be."""
    has_body = not all(map(_is_protocol, layers))
    fields = _fields(catalog, is_relaxed=is_relaxed) if has_body else []
    return [*fields, *filter(None, [extra])]


def _fields(catalog: Catalog, *, is_relaxed: bool = False) -> list[str]:
    """Return the option for fields of the body that only the program knows."""
    response = catalog.response
    if response and response.context:
        name = response.context[-1].name
        return [
            f"readonly fields?: {name} | undefined" if is_relaxed else f"readonly fields: {name}"
        ]
    given = response.given if response else ()
    return [f"readonly fields?: {given[-1].name} | undefined"] if given else []


def _needs(catalog: Catalog, layers: Iterable[Layer]) -> bool:
    """Tell whether nobody can send errors of some layers without saying something in the body."""
    has_body = not all(map(_is_protocol, layers))
    return has_body and bool(catalog.response and catalog.response.context)


def _is_protocol(layer: Layer) -> bool:
    return layer.wire == "jsonrpc-error"


def _returns(catalog: Catalog, wire: str) -> str:
    return _FORMS[wire][1] or (catalog.response.type if catalog.response else "")


FILTERS: Final[dict[str, Callable[..., Any]]] = {
    "tsforms": tsforms,
    "tsnet": tsnet,
    "tssender": tssender,
    "tstranslation": tstranslation,
    "tswire": tswire,
}
