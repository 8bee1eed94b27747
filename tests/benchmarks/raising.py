"""Raise an error and make its body, again and again, with a generated module or by hand; print the seconds.

Arguments: the folder of a generated errors.py, `generated` or `by-hand`, and how often.
"""

import importlib
import sys
import time
from collections.abc import Callable
from typing import Any


class ByHandError(Exception):
    """What somebody would write without errgen."""

    def __init__(self, code: int, message: str, *, retryable: bool) -> None:
        """Keep the facts."""
        super().__init__(message)
        self.code = code
        self.message = message
        self.retryable = retryable


def by_hand(spec: Any) -> Callable[[], object]:
    """Return what raises the error without the generated module."""
    code, retryable = int(spec.code), bool(spec.retryable)
    values = {param.name: "value" for param in spec.params}

    def once() -> object:
        try:
            message = spec.message.format(**values)
            raise ByHandError(code, message, retryable=retryable)  # noqa: TRY301 - it is timed
        except ByHandError as error:
            return {
                "error": {
                    "code": error.code,
                    "message": error.message,
                    "retryable": error.retryable,
                }
            }

    return once


def generated(module: Any, spec: Any) -> Callable[[], object]:
    """Return what raises the error by its factory."""
    factory = getattr(module.KnownError, spec.name.lower())
    values = {param.name: "value" for param in spec.params}

    def once() -> object:
        try:
            raise factory(**values)
        except module.CatalogError as error:
            return error.to_response()

    return once


def main(folder: str, kind: str, times: int) -> None:
    """Time one of both."""
    sys.path.insert(0, folder)
    module = importlib.import_module("errors")
    specs = [module.spec(code) for code in module.ErrorCode]
    plain = [spec for spec in specs if spec.retryable is not None]
    spec = max(plain, key=lambda item: len(item.params))
    once = by_hand(spec) if kind == "by-hand" else generated(module, spec)
    begin = time.perf_counter()
    for _ in range(times):
        once()
    print(time.perf_counter() - begin)  # noqa: T201 - who starts it reads this


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
