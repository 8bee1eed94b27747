"""Feed texts to the filters of templates for a while: whatever a filter makes of a text, its reader gives back.

    pip install atheris markdown-it-py
    python tests/fuzz/filters.py -max_total_time=600

libFuzzer's options apply. It ends at the first text that a filter loses, and writes it.
"""

import ast
import re
import sys
from typing import Any

import atheris
from markdown_it import MarkdownIt

with atheris.instrument_imports(include=["errgen"]):
    from errgen.filters.markdown import FILTERS as MARKDOWN
    from errgen.filters.python import pydoc, pystr, pyvalue
    from errgen.filters.typescript import tsdoc, tskey, tsstr, tsvalue
    from errgen.rules.text import UNSAFE, UNSAFE_IN_TEXT

_READER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])


def run(content: bytes) -> None:
    """Check the laws for one text, of which nothing is left that a catalog may not hold."""
    data = atheris.FuzzedDataProvider(content)
    text = data.ConsumeUnicodeNoSurrogates(sys.maxsize)
    line = UNSAFE.sub(" ", text).strip()
    lines = UNSAFE_IN_TEXT.sub("", text)
    if not line:
        return
    python(line, lines)
    typescript(line, lines)
    markdown(line)


def python(line: str, lines: str) -> None:
    """Assert that Python reads texts back."""
    for text in (line, lines):
        assert ast.literal_eval(pystr(text)) == text
        assert ast.literal_eval(pyvalue({text: [text]})) == {text: [text]}
        for indent in (0, 4, 8):
            assert ast.literal_eval(f'"""{pydoc(text, indent)}"""').split() == text.split()


def typescript(line: str, lines: str) -> None:
    """Assert that a literal of TypeScript is the text, and that a comment ends where it should."""
    for text in (line, lines):
        for literal in (tsstr(text), tsvalue(text)):
            assert "\n" not in literal
            assert "</script" not in literal.lower()
            assert read(literal) == text
        key = tskey(text)
        assert text in (key, read(key) if key != text else key)
        assert tsdoc(text).count("*/") == 1
        assert tsdoc(text).endswith("*/")


def read(literal: str) -> object:
    """Read a literal of TypeScript: but for code points in braces, Python escapes alike."""
    return ast.literal_eval(
        re.sub(
            r"\\(?:u\{(\w+)\}|(.))",
            lambda found: f"\\U{found[1]:0>8}" if found[1] else f"\\{found[2]}",
            literal,
        )
    )


def markdown(line: str) -> None:
    """Assert that a page shows texts as they are, in a cell of one table."""
    filters: dict[str, Any] = MARKDOWN
    code = filters["mdcode"]
    row = f"| {filters['mdcell'](line)} | {code(line, cell=True)} |"
    cells = f"| a | b |\n| --- | --- |\n{row}\n\nAlone: {code(line)}\n\nend\n"
    tokens = _READER.parse(cells)
    inline = [token for token in tokens if token.type == "inline"]
    assert [token.content for token in inline[-1:]] == ["end"]
    assert len(inline) == 6, cells
    assert shown(inline[2]).split() == line.split(), (shown(inline[2]), line)
    assert shown(inline[3]).split() == line.split(), (shown(inline[3]), line)
    assert shown(inline[4]).split() == ["Alone:", *line.split()], (shown(inline[4]), line)


def shown(token: Any) -> str:
    """Return the text that a reader sees."""
    for child in token.children:
        assert child.type in ("text", "text_special", "code_inline", "softbreak"), child
    return "".join(child.content or " " for child in token.children)


def main() -> None:
    """Begin with nothing but words of the languages."""
    atheris.Setup([*sys.argv, "-max_len=400"], run)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
