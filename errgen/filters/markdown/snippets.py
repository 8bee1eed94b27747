"""Code for the section of an error: errors flow in, an example of what is sent and snippets that handle it flow out."""

import json
import re
from collections.abc import Callable, Mapping
from pathlib import PurePosixPath
from typing import Any, Final, NamedTuple

from errgen.cases import sketch_of
from errgen.model import Catalog, ErrorSpec, Layer
from errgen.wireforms import form_of

# Why an error that is never retried ends a call.
_ENDS: Final = {
    "fix-input": "the input has to be corrected first",
    "inform-user": "the user has to know",
    "escalate": "someone else has to help",
    "retry": "it is not retried",
    "wait": "it is not retried",
    "none": "it is final",
    None: "it is not retried",
}
_WIDTH: Final = 80
_NAME: Final = "\0"
_PYTHON: Final = "python/errors.py.j2"
_TYPESCRIPT: Final = "typescript/errors.ts.j2"


class Modules(NamedTuple):
    """What generated modules are called where they are imported; "" for one that the build does not make."""

    python: str
    typescript: str


def mdmodules(outputs: Mapping[str, str], stem: str) -> Modules:
    """Return the modules that a build makes; one that makes none documents what others make of the catalog."""
    python, typescript = outputs.get(_PYTHON), outputs.get(_TYPESCRIPT)
    if python is None and typescript is None:
        python, typescript = re.sub(r"\W", "_", stem), f"{stem}.ts"
    return Modules(
        (python and PurePosixPath(python).name.split(".", 1)[0]) or "",
        (typescript and f"./{PurePosixPath(typescript).name}") or "",
    )


def mdjson(value: Any, indent: str = "") -> str:
    """Return JSON in which what fits on a line stands on one."""
    line = json.dumps(value, ensure_ascii=False)
    if len(indent) + len(line) <= _WIDTH or not value or not isinstance(value, dict | list):
        return line
    inner = f"{indent}  "
    if isinstance(value, list):
        items = [mdjson(item, inner) for item in value]
        return "[\n" + ",\n".join(inner + item for item in items) + f"\n{indent}]"
    lines = [f"{inner}{json.dumps(key, ensure_ascii=False)}: " for key in value]
    items = [mdjson(item, inner) for item in value.values()]
    return "{\n" + ",\n".join(map("".join, zip(lines, items, strict=True))) + f"\n{indent}}}"


def example_of(catalog: Catalog, error: ErrorSpec) -> str:
    """Return what is sent of an error as a block of code, or nothing for one that does not leave the process."""
    wire = error.layer.wire
    if wire == "body" and catalog.response is None:
        wire = "http-problem" if error.http_status else ""
    if error.is_internal or not wire:
        return ""
    return fenced(mdjson(form_of(sketch_of(catalog, error), wire)), "json")


def fenced(text: str, language: str) -> str:
    """Return a block of code without tabs and spaces at the ends of its lines."""
    longest = max(map(len, re.findall("`+", text)), default=0) if "`" in text else 0
    ticks = "`" * max(3, longest + 1)
    return f"{ticks}{language}\n{text}\n{ticks}"


def snippets_of(catalog: Catalog, modules: Modules) -> Callable[[ErrorSpec], tuple[str, ...]]:
    """Return what writes the snippets for an error; those of one layer and answer differ in the name alone."""
    known: dict[tuple[str, str], tuple[str, ...]] = {}
    makers = (
        ("python", modules.python, _in_python),
        ("ts", modules.typescript, _in_typescript),
    )

    def snippets(error: ErrorSpec) -> tuple[str, ...]:
        end = _ENDS[error.recovery_action] if error.retryable is False else ""
        key = error.layer.name, end
        if key not in known:
            known[key] = tuple(
                fenced(make(module, error.layer, _read(catalog), end), language)
                for language, module, make in makers
                if module
            )
        return tuple(text.replace(_NAME, error.name) for text in known[key])

    return snippets


def _read(catalog: Catalog) -> str | None:
    """Return the member of the class of operation that snippets repeat: the first that reads."""
    operations = sorted(catalog.operations, key=lambda operation: operation.effect != "read")
    return operations[0].member if operations else None


def _in_python(module: str, layer: Layer, read: str | None, end: str) -> str:
    names = [layer.enum, "from_wire"]
    then = f"    raise error  # {end}"
    if not end:
        names += ["should_retry", *(["OperationName"] if read else [])]
        told = f"OperationName.{read}, attempt" if read else "attempt, is_read=True"
        then = (
            f"    if not should_retry(error, {told}):\n"
            "        raise error\n"
            "    time.sleep(error.delay_ms(attempt) / 1000)  # then call again"
        )
    return (
        ("" if end else "import time\n\n")
        + f"from {module} import {', '.join(sorted(names))}\n\n"
        + "error = from_wire(message)\n"
        + f"if error and error.code == {layer.enum}.{_NAME}:\n{then}"
    )


def _in_typescript(module: str, layer: Layer, read: str | None, end: str) -> str:
    names = [layer.enum, "fromWire"]
    then = f"  throw error; // {end}"
    if not end:
        names += ["retryDelayMs", "shouldRetry", *(["OperationName"] if read else [])]
        told = f"OperationName.{read}, attempt" if read else "attempt, { isRead: true }"
        then = (
            f"  if (!shouldRetry(error, {told})) throw error;\n"
            "  const wait = retryDelayMs(error, attempt);\n"
            "  await new Promise((resolve) => setTimeout(resolve, wait)); // then call again"
        )
    return (
        f'import {{ {", ".join(sorted(names))} }} from "{module}";\n\n'
        "const error = fromWire(message);\n"
        f"if (error?.code === {layer.enum}.{_NAME}) {{\n{then}\n}}"
    )
