"""Rows of generated Python, one for each error: errors flow in, text that black leaves as it is flows out.

A catalog has thousands of errors and black needs a millisecond for each, so that it sees a stand-in for these rows.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from errgen.filters.pycode import pyfactory, pyparam, pyparamtype
from errgen.filters.python import member_doc, pydoc, pystr, pyvalue
from errgen.model import Category, ErrorSpec, Layer, Param, Reservation

_WIDTH: Final = 88
_BEFORE: Final = """
    outcome recovery_action recovery_hint http_status grpc_status jsonrpc_code severity is_internal
    """.split()
_DEFAULTS: Final = {"safe_to_retry": "never", "severity": "error"}


def pymembers(errors: Iterable[ErrorSpec]) -> str:
    """Return the members of an enum, each with its docstring."""
    return "".join(line for error in errors for line in _member(error))


def _member(error: ErrorSpec) -> Iterator[str]:
    code = pyvalue(error.code)
    yield f'    {error.name} = {code}\n    """{pydoc(member_doc(error))}"""\n\n'
    for alias in error.aliases:
        yield f'    {alias} = {code}\n    """Another name of {error.name}."""\n\n'


def pycategories(categories: Iterable[Category]) -> str:
    """Return the entries of a dictionary of what the catalog says of each category."""
    return "".join(line for category in categories for line in _category(category))


def _category(category: Category) -> Iterator[str]:
    member = f"Category.{category.member}"
    retry = f"RetryPolicyName.{category.policy.member}" if category.policy else None
    yield f"        {member}: CategorySpec(\n            category={member},\n"
    yield f"            title={pystr(category.title)},\n"
    yield f"            layer={pystr(category.layer.name)},\n"
    yield f"            retry={retry},\n"
    yield from _keywords(category, 12, "description", "extensions")
    yield "        ),\n"


def pyreservations(reserved: Iterable[Reservation]) -> str:
    """Return the elements of a tuple of what the catalog never uses, or never again."""
    return "".join(line for item in reserved for line in _reservation(item))


def _reservation(item: Reservation) -> Iterator[str]:
    yield f"    Reservation(\n        reason={pystr(item.reason)},\n"
    yield from _keywords(item, 8, "code", "name", "first", "last", "prefix", "since")
    if item.replaced_by:
        yield f"        replaced_by={pystr(item.replaced_by.name)},\n"
    yield from _keywords(item, 8, "extensions")
    yield "    ),\n"


def pyspecs(errors: Iterable[ErrorSpec]) -> str:
    """Return the entries of a dictionary of what the catalog says of each error."""
    return "".join(line for error in errors for line in _spec(error))


def _spec(error: ErrorSpec) -> Iterator[str]:
    member = f"{error.layer.enum}.{error.name}"
    yield f"        {member}: ErrorSpec(\n            code={member},\n"
    yield f"            name={pystr(error.name)},\n"
    yield f"            layer={pystr(error.layer.name)},\n"
    yield f"            category=Category.{error.category.member},\n"
    yield f"            retry=RetryPolicyName.{error.policy.member},\n"
    yield f"            retryable={error.retryable},\n"
    yield f"            message={pystr(error.message)},\n"
    yield from _keywords(error, 12, "safe_to_retry", *_BEFORE)
    if error.conceal_as:
        yield f"            conceal_as={error.conceal_as.enum}.{error.conceal_as.name},\n"
    yield from _keywords(error, 12, "since")
    yield from _deprecated(error)
    yield from _keywords(error, 12, "aliases", "tags", "docs_url")
    links = tuple(link.url or (link.error.name if link.error else "") for link in error.see_also)
    if links:
        yield f"            see_also={pylaid(links, 12, 21)},\n"
    yield from _keywords(error, 12, "log_message")
    yield from _params("params", error.params)
    yield from _params("private_params", error.private_params)
    if error.examples:
        yield "            examples=(\n"
        for example in error.examples:
            yield f"                Example(\n                    message={pystr(example.message)},\n"
            yield f"                    params={pylaid(example.params, 20, 27)},\n"
            yield from _keywords(example, 20, "description")
            yield "                ),\n"
        yield "            ),\n"
    yield from _keywords(error, 12, "description", "extensions")
    yield "        ),\n"


def _deprecated(error: ErrorSpec) -> Iterator[str]:
    if error.deprecated:
        yield "            deprecated=Deprecation(\n"
        yield f"                since={pystr(error.deprecated.since)},\n"
        yield f"                reason={pystr(error.deprecated.reason)},\n"
        if error.deprecated.replaced_by:
            yield f"                replaced_by={pystr(error.deprecated.replaced_by.name)},\n"
        yield "            ),\n"


def _params(name: str, params: Iterable[Param]) -> Iterator[str]:
    if params:
        yield f"            {name}=(\n"
        for param in params:
            yield f"                Param(\n                    name={pystr(param.name)},\n"
            yield f"                    type={pystr(param.type)},\n"
            yield from _keywords(param, 20, "description", "extensions")
            yield "                ),\n"
        yield "            ),\n"


def _keywords(record: object, indent: int, *names: str) -> Iterator[str]:
    """Yield a line `name=value,` for each attribute that is not empty, None, false or its default."""
    for name in names:
        value = getattr(record, name)
        # Zero is a value; it equals False but is not it.
        if (
            value is None
            or value is False
            or value in ("", (), {})
            or value == _DEFAULTS.get(name, "")
        ):
            continue
        yield f"{' ' * indent}{name}={pylaid(value, indent, indent + len(name) + 1)},\n"


def pylaid(value: Any, indent: int, column: int) -> str:
    """Return a JSON value or a tuple, for before a comma; it begins at `column` of a line indented by `indent`."""
    flat = pyvalue(value)
    if not isinstance(value, Mapping | list | tuple) or not value or _fits(flat, column):
        return flat
    pad = " " * (indent + 4)
    if isinstance(value, Mapping):
        keys = ((f"{pystr(key)}: ", item) for key, item in value.items())
        ends = "{}"
    else:
        keys = (("", item) for item in value)
        ends = "[]" if isinstance(value, list) else "()"
    lines = (
        f"{pad}{key}{pylaid(item, indent + 4, indent + 4 + _width(key))},\n" for key, item in keys
    )
    return f"{ends[0]}\n{''.join(lines)}{' ' * indent}{ends[1]}"


def pyfactories(errors: Iterable[ErrorSpec], layer: Layer) -> str:
    """Return the factories of a class of errors, and their aliases."""
    return "".join(line for error in errors for line in _factory(error, layer))


def _factory(error: ErrorSpec, layer: Layer) -> Iterator[str]:
    kind, name, is_protocol = layer.error_type, pyfactory(error.name), layer.wire == "jsonrpc-error"
    params = error.params + error.private_params
    yield f"    @staticmethod\n    def {name}(\n"
    if params or error.retryable is None or is_protocol:
        yield "        *,\n"
    for param in params:
        yield _parameter(pyparam(param), pyparamtype(param))
    if error.retryable is None:
        yield "        retryable: bool,\n"
    if is_protocol:
        yield "        data: object = None,\n"
    yield f'        **options: "Unpack[ErrorOptions]",\n    ) -> "{kind}":\n'
    yield f'        """{pydoc(member_doc(error), 8)}"""\n'
    yield f"        return {kind}(\n            {layer.enum}.{error.name},\n"
    if error.params:
        yield f"            {_given(error.params, 12)},\n"
    if error.private_params:
        yield f"            private_params={_given(error.private_params, 27)},\n"
    if error.retryable is None:
        yield "            retryable=retryable,\n"
    if is_protocol:
        yield "            data=data,\n"
    yield "            **options,\n        )\n\n"
    for alias in error.aliases:
        yield f'    {pyfactory(alias)} = {name}\n    """Another name of {name}."""\n\n'


def _parameter(name: str, annotation: str) -> str:
    line = f"        {name}: {annotation},\n"
    kind, default, value = annotation.partition(" = ")
    if len(line) - 1 <= _WIDTH or not default:
        return line
    return f"        {name}: (\n            {kind}\n        ) = {value},\n"


def _fits(flat: str, column: int) -> bool:
    """Tell whether an expression that begins at a column has room for itself and a comma."""
    return column + _width(flat) < _WIDTH


def _width(text: str) -> int:
    """Return how many columns a text takes; which letters take two is for black to say."""
    if text.isascii():
        return len(text)
    from black.strings import str_width

    return str_width(text)


def _given(params: Iterable[Param], column: int) -> str:
    """Return a dictionary of the values of params, in an argument."""
    items = [f"{pystr(param.name)}: {pyparam(param)}" for param in params]
    flat = f"{{{', '.join(items)}}}"
    if _fits(flat, column):
        return flat
    return "{\n" + "".join(f"{' ' * 16}{item},\n" for item in items) + f"{' ' * 12}}}"


FILTERS: Final[dict[str, Callable[..., Any]]] = {
    "pycategories": pycategories,
    "pyfactories": pyfactories,
    "pymembers": pymembers,
    "pyreservations": pyreservations,
    "pyspecs": pyspecs,
}
