"""Feed bytes to the reader of catalogs and to the rules for a while: each is data, or has a finding at a place in it.

    pip install atheris
    python tests/fuzz/reader.py -max_total_time=600

libFuzzer's options apply; the catalogs of the tests are where it begins. It ends at the first broken law and writes the
bytes that broke it, which then belong into a test.
"""

import json
import sys
import tempfile
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["errgen"]):
    from errgen.diagnostics import CatalogError, Diagnostic
    from errgen.source import parse
    from errgen.validate import check

_CASES = Path(__file__).parents[1] / "cases"
_LARGEST = 20_000


def run(content: bytes) -> None:
    """Check the laws for one file."""
    try:
        document = parse(content, "c.yaml")
    except CatalogError as error:
        places(error.diagnostics, content)
        return
    places(check(document), content)
    again = parse(json.dumps(document.data, ensure_ascii=False).encode(), "c.yaml")
    assert again.data == document.data or "NaN" in repr(document.data)


def places(found: tuple[Diagnostic, ...], content: bytes) -> None:
    """Assert that each finding is a sentence about a place inside the file."""
    last = content.count(b"\n") + content.count(b"\r") + content.count(b"\xc2\x85") + 2
    for item in found:
        assert 0 <= item.location.line <= last, item
        assert item.message, item
        assert item.message.isprintable(), item
        assert item.help.isprintable(), item


def main() -> None:
    """Begin with the catalogs of the tests."""
    with tempfile.TemporaryDirectory() as folder:
        for number, path in enumerate(sorted(_CASES.rglob("*.yaml"))):
            content = path.read_bytes() if path.is_file() else b""
            if 0 < len(content) < _LARGEST:
                Path(folder, str(number)).write_bytes(content)
        atheris.Setup([*sys.argv, f"-max_len={_LARGEST}", folder], run)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
