"""Code for the section of an error: errors flow in, an example of what is sent and snippets that handle it flow out."""

import re
from collections.abc import Callable, Mapping
from pathlib import PurePosixPath
from typing import Any, Final, NamedTuple

from errgen.cases import case_of
from errgen.filters.markdown.spans import fenced
from errgen.filters.text import to_json
from errgen.guidance import attempts
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
_NO_ADVICE: Final = ("retry", "wait", "none", None)
_DOUBT: Final = "it may have happened: ask for its state"
_WIDTH: Final = 80
_NAME: Final = "\0"
_PYTHON: Final = "python/errors.py.j2"
_TYPESCRIPT: Final = "typescript/errors.ts.j2"


class _Answer(NamedTuple):
    """What a client does: why the call `end`s at once, or whether it `asks` for the state before it repeats."""

    end: str
    has_classes: bool
    asks: bool = False
    doubt: str = ""


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
    line = to_json(value)
    if len(indent) + len(line) <= _WIDTH or not value or not isinstance(value, dict | list):
        return line
    inner = f"{indent}  "
    if isinstance(value, list):
        items = [mdjson(item, inner) for item in value]
        return "[\n" + ",\n".join(inner + item for item in items) + f"\n{indent}]"
    lines = [f"{inner}{to_json(key)}: " for key in value]
    items = [mdjson(item, inner) for item in value.values()]
    return "{\n" + ",\n".join(map("".join, zip(lines, items, strict=True))) + f"\n{indent}}}"


def example_of(catalog: Catalog, error: ErrorSpec) -> str:
    """Return what is sent of an error as a block of code, or nothing for one that does not leave the process."""
    wire = error.layer.wire
    if wire == "body" and catalog.response is None:
        wire = "http-problem" if error.http_status else ""
    if error.is_internal or not wire:
        return ""
    return fenced(mdjson(form_of(case_of(catalog, error), wire)), "json")


def snippets_of(catalog: Catalog, modules: Modules) -> Callable[[ErrorSpec], tuple[str, ...]]:
    """Return what writes the snippets for an error; those of one layer and answer differ in the name alone."""
    known: dict[tuple[str, _Answer], tuple[str, ...]] = {}
    makers = (
        ("python", modules.python, _in_python),
        ("ts", modules.typescript, _in_typescript),
    )

    def snippets(error: ErrorSpec) -> tuple[str, ...]:
        answer = _answer(catalog, error)
        key = error.layer.name, answer
        if key not in known:
            known[key] = tuple(
                fenced(make(module, error.layer, answer), language)
                for language, module, make in makers
                if module
            )
        return tuple(text.replace(_NAME, error.name) for text in known[key])

    return snippets


def _answer(catalog: Catalog, error: ErrorSpec) -> _Answer:
    # What may have happened is looked up first, if any class of operation is repeated then.
    is_doubtful = error.outcome in ("unknown", "partial") or error.safe_to_retry == "reconciled"
    has_classes = bool(catalog.operations)
    if error.retryable is False:
        is_open = is_doubtful and error.recovery_action in _NO_ADVICE
        return _Answer(_DOUBT if is_open else _ENDS[error.recovery_action], has_classes)
    facts = error.policy, error.safe_to_retry, error.outcome
    asks = is_doubtful and any(item.once_known for item in attempts(catalog.operations, *facts))
    return _Answer("", has_classes, asks, _DOUBT if is_doubtful and not asks else "")


def _in_python(module: str, layer: Layer, answer: _Answer) -> str:
    names = [layer.enum, "from_wire"]
    then = f"    raise error  # {answer.end}"
    if not answer.end:
        names.append("should_retry")
        told = "operation, attempt" if answer.has_classes else "attempt, is_read=is_read"
        given = (
            "operation: the OperationName of what you called, or None"
            if answer.has_classes
            else "is_read: whether what you called changes nothing"
        )
        then = (
            f"    # {given}\n"
            f"    if not should_retry(error, {told}):\n"
            f"{_refused_in_python(told, answer)}\n"
            "    time.sleep(error.delay_ms(attempt) / 1000)  # then call again"
        )
    return (
        ("" if answer.end else "import time\n\n")
        + f"from {module} import {', '.join(sorted(names))}\n\n"
        + "error = from_wire(message)\n"
        + f"if error and error.code == {layer.enum}.{_NAME}:\n{then}"
    )


def _refused_in_python(told: str, answer: _Answer) -> str:
    if not answer.asks:
        return "        raise error" + (f"  # {answer.doubt}" if answer.doubt else "")
    return (
        "        # It may have happened: ask for its state, and repeat it only if it did not.\n"
        f"        if not should_retry(error, {told}, reconciled=True) or has_happened():\n"
        "            raise error"
    )


def _in_typescript(module: str, layer: Layer, answer: _Answer) -> str:
    names = [layer.enum, "fromWire"]
    then = f"  throw error; // {answer.end}"
    if not answer.end:
        names += ["retryDelayMs", "shouldRetry"]
        given = (
            "operation: the OperationName of what you called, or undefined"
            if answer.has_classes
            else "isRead: whether what you called changes nothing"
        )
        then = (
            f"  // {given}\n{_refused_in_typescript(answer)}\n"
            "  const wait = retryDelayMs(error, attempt);\n"
            "  await new Promise((resolve) => setTimeout(resolve, wait)); // then call again"
        )
    return (
        f'import {{ {", ".join(sorted(names))} }} from "{module}";\n\n'
        "const error = fromWire(message);\n"
        f"if (error?.code === {layer.enum}.{_NAME}) {{\n{then}\n}}"
    )


def _refused_in_typescript(answer: _Answer) -> str:
    told = "operation, attempt" if answer.has_classes else "attempt, { isRead }"
    if not answer.asks:
        doubt = f" // {answer.doubt}" if answer.doubt else ""
        return f"  if (!shouldRetry(error, {told})) throw error;{doubt}"
    known = (
        "operation, attempt, { reconciled: true }"
        if answer.has_classes
        else "attempt, { isRead, reconciled: true }"
    )
    return (
        f"  if (!shouldRetry(error, {told})) {{\n"
        "    // It may have happened: ask for its state, and repeat it only if it did not.\n"
        f"    if (!shouldRetry(error, {known}) || (await hasHappened())) throw error;\n"
        "  }"
    )
