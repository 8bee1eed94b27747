"""Make a Catalog of schema-valid, rule-clean data: fill in defaults, resolve every reference, order everything once."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from errgen import defaults
from errgen.bodies import response_from
from errgen.codespace import anchor, ranges_from, reservation_from
from errgen.defaults import extensions_of, text_of
from errgen.foreign import translation_from
from errgen.message import fill, flat, parts
from errgen.model import (
    Catalog,
    Category,
    Deprecation,
    ErrorRef,
    ErrorSpec,
    Example,
    Layer,
    Limits,
    Link,
    Operation,
    Param,
    RetryPolicy,
)
from errgen.naming import error_type, member, title

_URL: Final = re.compile(r"https?://")


def catalog_from(data: Mapping[str, Any]) -> Catalog:
    """Build the model; `data` has passed `validate.check` without a finding."""
    layers = {name: _layer(name, body) for name, body in defaults.layers_of(data).items()}
    policies = {name: _policy(name, body) for name, body in defaults.policies_of(data).items()}
    categories = {
        name: _category(name, body, layers[str(defaults.layer_of_category(data, body))], policies)
        for name, body in data["categories"].items()
    }
    refs = _refs(data, categories)
    order = {name: index for index, name in enumerate(layers)}
    errors = sorted(
        _linked([_error(data, name, categories, policies, refs) for name in data["errors"]]),
        key=lambda error: (order[error.layer.name], error.code),
    )
    named = {name: error for error in errors for name in (error.name, *error.aliases)}
    response = response_from(data["response"], errors) if "response" in data else None
    limits = data.get("limits", {})
    reserved = tuple(reservation_from(item, refs) for item in data.get("reserved", ()))
    return Catalog(
        name=data["name"],
        version=data["version"],
        title=data.get("title", data["name"]),
        description=text_of(data),
        docs_url=data.get("docs_url"),
        limits=Limits(limits.get("message"), limits.get("hint")),
        layers=tuple(layers.values()),
        categories=tuple(categories.values()),
        ranges=ranges_from(data.get("ranges", ()), categories, errors, reserved),
        policies=tuple(policies.values()),
        operations=tuple(
            _operation(name, body) for name, body in data.get("operations", {}).items()
        ),
        response=response,
        translations=tuple(
            translation_from(name, body, named, response)
            for name, body in data.get("translations", {}).items()
        ),
        reserved=reserved,
        errors=tuple(errors),
        extensions=extensions_of(data),
    )


def _ms(body: Mapping[str, Any], key: str) -> int | None:
    return defaults.duration_ms(body[key]) if key in body else None


def _layer(name: str, body: Mapping[str, Any]) -> Layer:
    return Layer(
        name=name,
        enum=body["enum"],
        error_type=error_type(name, body["enum"]),
        code_type=body["code"],
        wire=body.get("wire", "body"),
        text=body.get("text", ""),
        profile=body.get("profile"),
        title=body.get("title", title(name)),
        description=text_of(body),
        extensions=extensions_of(body),
    )


def _policy(name: str, body: Mapping[str, Any]) -> RetryPolicy:
    varies, strategy = body["retryable"] == "varies", body.get("strategy")
    if strategy is None and "retry_after" in body:
        strategy = "fixed"
    return RetryPolicy(
        name=name,
        member=member(name),
        retryable=None if varies else body["retryable"],
        strategy=strategy,
        initial_delay_ms=_ms(body, "initial_delay"),
        multiplier=body.get("multiplier", 2) if strategy == "exponential" else None,
        max_delay_ms=_ms(body, "max_delay"),
        max_attempts=body.get("max_attempts"),
        jitter=body.get("jitter", "none"),
        retry_after_ms=_ms(body, "retry_after"),
        safe_to_retry=defaults.policy_safety(body),
        description=text_of(body),
        extensions=extensions_of(body),
    )


def _category(
    name: str, body: Mapping[str, Any], layer: Layer, policies: Mapping[str, RetryPolicy]
) -> Category:
    return Category(
        name=name,
        member=member(name),
        title=body.get("title", title(name)),
        description=text_of(body),
        layer=layer,
        policy=policies[body["retry"]] if "retry" in body else None,
        extensions=extensions_of(body),
    )


def _operation(name: str, body: Mapping[str, Any]) -> Operation:
    return Operation(
        name=name,
        member=member(name),
        effect=body["effect"],
        idempotent=body.get("idempotent", body["effect"] == "read"),
        max_attempts=body["max_attempts"],
        is_default=body.get("default", False),
        description=text_of(body),
        extensions=extensions_of(body),
    )


def _refs(data: Mapping[str, Any], categories: Mapping[str, Category]) -> dict[str, ErrorRef]:
    """Map every name and alias to the error that it finds."""
    refs = {}
    for name, entry in data["errors"].items():
        ref = ErrorRef(
            name, defaults.code_of(name, entry), categories[entry["category"]].layer.enum
        )
        refs.update(dict.fromkeys((name, *entry.get("aliases", ())), ref))
    return refs


def _error(
    data: Mapping[str, Any],
    name: str,
    categories: Mapping[str, Category],
    policies: Mapping[str, RetryPolicy],
    refs: Mapping[str, ErrorRef],
) -> ErrorSpec:
    entry, docs_url = data["errors"][name], data.get("docs_url")
    category = categories[entry["category"]]
    policy = policies[entry["retry"]] if "retry" in entry else category.policy
    assert policy is not None, name
    recovery, code = entry.get("recovery", {}), refs[name].code
    return ErrorSpec(
        name=name,
        code=code,
        layer=category.layer,
        category=category,
        policy=policy,
        aliases=tuple(entry.get("aliases", ())),
        message=entry["message"],
        message_parts=parts(entry["message"]),
        log_message=entry.get("log_message", ""),
        params=_params(entry.get("params", {}), is_private=False),
        private_params=_params(entry.get("private_params", {}), is_private=True),
        description=text_of(entry),
        safe_to_retry=entry.get("safe_to_retry", policy.safe_to_retry),
        outcome=entry.get("outcome"),
        recovery_action=recovery.get("action"),
        recovery_hint=recovery.get("hint", ""),
        http_status=entry.get("http_status"),
        grpc_status=entry.get("grpc_status"),
        jsonrpc_code=entry.get("jsonrpc_code"),
        severity=entry.get("severity", "error"),
        visibility=entry.get("visibility", "public"),
        conceal_as=refs[entry["conceal_as"]] if "conceal_as" in entry else None,
        range_waiver=entry.get("range_waiver", ""),
        since=entry.get("since"),
        deprecated=_deprecation(entry["deprecated"], refs) if "deprecated" in entry else None,
        examples=tuple(_example(item, entry["message"]) for item in entry.get("examples", ())),
        see_also=tuple(_link(item, refs) for item in entry.get("see_also", ())),
        tags=tuple(sorted(entry.get("tags", ()))),
        docs_url=f"{docs_url}#{anchor(code)}" if docs_url else None,
        extensions=extensions_of(entry),
    )


def _linked(errors: list[ErrorSpec]) -> Iterator[ErrorSpec]:
    """Link a text that reads like the number of another error by name, as its code leads to that other one."""
    numbers = {str(error.code) for error in errors if isinstance(error.code, int)}
    for error in errors:
        base, _, _ = (error.docs_url or "").partition("#")
        yield (
            replace(error, docs_url=f"{base}#{error.name}")
            if base and error.code in numbers
            else error
        )


def _params(body: Mapping[str, Any], *, is_private: bool) -> tuple[Param, ...]:
    return tuple(
        Param(name, item["type"], text_of(item), is_private, extensions_of(item))
        for name, item in body.items()
    )


def _deprecation(body: Mapping[str, Any], refs: Mapping[str, ErrorRef]) -> Deprecation:
    target = body.get("replaced_by")
    return Deprecation(body["since"], body["reason"], refs[target] if target else None)


def _example(body: Mapping[str, Any], message: str) -> Example:
    params = body.get("params", {})
    return Example(dict(params), flat(fill(message, params)), text_of(body))


def _link(target: str, refs: Mapping[str, ErrorRef]) -> Link:
    return Link(None, target) if _URL.match(target) else Link(refs[target], None)
