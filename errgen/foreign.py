"""Resolve translations: raw maps of foreign errors and resolved errors flow in, who supplies which value flows out."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from errgen.defaults import extensions_of, text_of
from errgen.model import ErrorSpec, Field, Fill, Param, Response, Translation


def translation_from(
    name: str,
    body: Mapping[str, Any],
    errors: Mapping[str, ErrorSpec],
    response: Response | None,
) -> Translation:
    """Build a translation of a catalog; `errors` finds each error by name and alias."""
    # An exact status comes before its class (404 before 4xx); other keys keep the owner's order.
    keys = (
        sorted(body["map"], key=lambda key: (key.endswith("xx"), key))
        if body["kind"] == "http-status"
        else body["map"]
    )
    default = errors[body["default"]]
    targets = [*(errors[body["map"][key]] for key in keys), default]
    fills = tuple(_fills(body.get("fill", {}), targets, response))
    return Translation(
        name=name,
        kind=body["kind"],
        layer=default.layer,
        entries=tuple((key, errors[body["map"][key]].ref) for key in keys),
        default=default.ref,
        fills=fills,
        params=tuple(_left(targets, {fill.path for fill in fills if fill.is_param})),
        varies=any(target.retryable is None for target in targets),
        description=text_of(body),
        extensions=extensions_of(body),
    )


def _fills(
    raw: Mapping[str, str], targets: Iterable[ErrorSpec], response: Response | None
) -> Iterator[Fill]:
    params = {
        param.name: param for error in targets for param in (*error.params, *error.private_params)
    }
    for name, source in raw.items():
        if name in params:
            param = params[name]
            yield Fill((name,), source, is_param=True, is_private=param.is_private, type=param.type)
        elif response is not None:
            path = tuple(name.split("."))
            kind = _field(response.fields, path).type
            yield Fill(path, source, is_param=False, is_private=False, type=kind)


def _field(fields: tuple[Field, ...], path: tuple[str, ...]) -> Field:
    field = next(field for field in fields if field.name == path[0])
    return _field(field.fields, path[1:]) if path[1:] else field


def _left(targets: Iterable[ErrorSpec], filled: set[tuple[str, ...]]) -> Iterator[Param]:
    """Yield each param of the errors once that is not filled, public ones first."""
    every = [param for error in targets for param in (*error.params, *error.private_params)]
    params = {param.name: param for param in reversed(every)}
    left = [param for name, param in params.items() if (name,) not in filled]
    yield from sorted(left, key=lambda param: (param.is_private, param.name))
