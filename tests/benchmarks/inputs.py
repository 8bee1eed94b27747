"""A folder and a size flow in; the catalogs, enums and .proto files that the benchmarks need flow out, written there.

It runs as a process of its own: a process that starts others lends them its own peak of memory.
"""

import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Final

from catalogs import catalog

_CONFIG: Final = """\
catalog = [{ path = "errors.yaml", targets = { conformance = false } }]
"""
_BUF: Final = "version: v2\nlint: { use: [] }\n"
_ERROR: Final = re.compile(
    r"^  (E\d+_\w+):\n    code: (\d+)\n    category: \w+\n    message: (.*)\n", re.MULTILINE
)
_MESSAGE: Final = re.compile(r"\n    category: \w+\n    message: ")
_FEWEST: Final = 3


@dataclass(frozen=True, slots=True)
class Sizes:
    """Numbers of codes, called by what they are at the size of 10,000."""

    of_300: int
    of_1000: int
    of_10000: int
    of_50000: int


def sizes(size: int) -> Sizes:
    """Return the sizes that go with a size in place of 10,000."""
    return Sizes(max(_FEWEST, size * 3 // 100), max(_FEWEST, size // 10), size, size * 5)


def write(folder: Path, size: int) -> None:
    """Write a project of each size, and beside the one of 10,000 its catalog with changes and with faults."""
    counts = sizes(size)
    for name, number in (
        ("300", counts.of_300),
        ("1000", counts.of_1000),
        ("10000", counts.of_10000),
        ("50000", counts.of_50000),
    ):
        text = catalog(number)
        _write(folder / name / "errors.yaml", text)
        _write(folder / name / "errgen.toml", _CONFIG)
        _write(folder / f"bare-{name}" / "bare.py", _bare(text))
        _write(folder / f"peer-{name}" / "proto" / "errors.proto", _proto(text))
        _write(folder / f"peer-{name}" / "buf.yaml", _BUF)
    text = catalog(counts.of_10000)
    for name, vary in _VARIANTS.items():
        _write(folder / "variants" / f"{name}.yaml", vary(text))


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


def _bare(text: str) -> str:
    members = "".join(f"    {name} = {code}\n" for name, code, _ in _ERROR.findall(text))
    return f"from enum import IntEnum\n\n\nclass ErrorCode(IntEnum):\n{members}"


def _proto(text: str) -> str:
    values = "".join(
        f"  // {message}\n  {name} = {code};\n" for name, code, message in _ERROR.findall(text)
    )
    return f'syntax = "proto3";\npackage errors;\n\nenum ErrorCode {{\n  UNSPECIFIED = 0;\n{values}}}\n'


def _one_changed(text: str) -> str:
    begin, end, rest = text.rpartition("    message: ")
    return f"{begin}{end}Now {rest}"


def _tenth_changed(text: str) -> str:
    indexes = count()
    return _MESSAGE.sub(
        lambda match: match.group() if next(indexes) % 10 else f"{match.group()}Now ", text
    )


def _unknown_key(text: str) -> str:
    return text.replace("\n    http_status: ", "\n    http_statu: ")


def _misspelt_name(text: str) -> str:
    without = re.sub(r"\n    see_also: .*", "", text)
    return re.sub(r"\n  (E\d+_\w+)\w:", r"\g<0>\n    see_also: [\1]", without)


def _code_used_again(text: str) -> str:
    return re.sub(r"\n    code: \d+", "\n    code: 1000", text)


_VARIANTS: Final[dict[str, Callable[[str], str]]] = {
    "one-changed": _one_changed,
    "tenth-changed": _tenth_changed,
    "unknown-key": _unknown_key,
    "misspelt-name": _misspelt_name,
    "code-used-again": _code_used_again,
}

if __name__ == "__main__":
    write(Path(sys.argv[1]), int(sys.argv[2]))
