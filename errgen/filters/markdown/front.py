"""The head of a page: its title and what it is about flow in, front matter for generators of sites flows out."""

import json
import re
from collections.abc import Mapping
from typing import Any, Final

from errgen.filters.text import summary

_LONGEST: Final = 300
# What YAML reads as a line's end, or does not allow as it is; JSON has marks for those before a space.
_ODD: Final = re.compile("[\0-\x1f\x7f-\xa0\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")


def mdfront(fields: Mapping[str, Any], header: str) -> str:
    """Return front matter that begins with who made the file, so that no long text comes before it."""
    lines = [f"{key}: {_scalar(value)}" for key, value in fields.items() if value not in ("", None)]
    return "\n".join(("---", f"# {_ODD.sub(' ', header)}", *lines, "---"))


def mdbrief(text: str) -> str:
    """Return the first paragraph of a text, cut where it is long."""
    line = summary(text)
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1].rstrip()}…"


def _scalar(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return _ODD.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
