"""A page: what is found where flows in, headings, ids and links as Markdown flow out."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from errgen.filters.markdown.inline import HOME
from errgen.filters.markdown.spans import md, unlinked

Key: TypeAlias = tuple[str, object]
_PLAIN_ID: Final = re.compile(r"[\w.~-]+", re.ASCII)
_UNSAFE: Final = re.compile(r"[^\w.:~%/@-]")
_STOP: Final = re.compile("[.,;:!\u3002\uff0c\uff1b\uff1a\uff01]$")


@dataclass(frozen=True, slots=True)
class Page:
    """Where things are found: their headings, the ids of each, and the one to link to.

    No id, and no fragment that GitHub makes of a heading, is found at two places of a page. `owners` leads from each
    id to what it finds. `form` says how much a page holds; `files` leads to the file of what does not stand in the
    entry, `own` is the file of this page ("" for the entry), and `ways` lead from it to the entry and to all others.
    A page that `shows_logs` says what is written to them.
    """

    headings: Mapping[Key, str]
    ids: Mapping[Key, tuple[str, ...]]
    targets: Mapping[Key, str]
    owners: Mapping[str, Key]
    form: str = "single"
    files: Mapping[Key, str] = field(default_factory=dict)
    own: str = ""
    ways: tuple[str, str] = ("", "")
    shows_logs: bool = False

    @property
    def anchors(self) -> Mapping[str, str]:
        """Return the address for each id that a URL can hold as it is."""
        return _Anchors(self)

    def heading(self, kind: str, name: object) -> str:
        """Return the text of a thing's heading; a stop at its end is written so that no linter takes it for one."""
        text = md(self.headings[kind, name])
        return _STOP.sub(lambda stop: f"&#{ord(stop[0])};", text)

    def anchor(self, kind: str, name: object) -> str:
        """Return the HTML by which a thing is found under each of its ids; GitLab keeps names alone."""
        ids = self.ids.get((kind, name), ())
        coded = (_UNSAFE.sub(lambda char: f"&#{ord(char[0])};", found) for found in ids)
        return "".join(f'<a id="{found}" name="{found}"></a>' for found in coded)

    def link(self, kind: str, name: object) -> str:
        """Return a link to a thing under its heading."""
        text = name if kind == "error" else unlinked(self.heading(kind, name))
        return f"[{text}]({self.address(kind, name)})"

    def address(self, kind: str, name: object) -> str:
        """Return where a thing is found, from this page."""
        key = kind, name
        file = self.files.get(key, "")
        if file == self.own:
            return f"#{self.targets[key]}"
        if not file:
            return f"{self.ways[0]}#{self.targets[key]}"
        is_alone = kind == "error" and self.form == "per-error"
        return f"{self.ways[1]}{file}" + ("" if is_alone else f"#{self.targets[key]}")

    def to_entry(self) -> str:
        """Return a link to the entry under its title."""
        return f"[{unlinked(self.heading('title', ''))}]({self.ways[0]})"

    def to_category(self, name: str) -> str:
        """Return a link to the page of a category."""
        text = unlinked(self.heading("category", name))
        return f"[{text}]({self.ways[1]}{self.files['page', name]})"


class _Anchors(Mapping[str, str]):
    """The address for each id, worked out for those that are asked for."""

    def __init__(self, page: Page) -> None:
        self._page = page

    def __getitem__(self, found: str) -> str:
        page = self._page
        if found == HOME:
            return page.ways[0].rpartition("/")[0] + "/" if "/" in page.ways[0] else ""
        key = page.owners[found]
        target = page.targets.get(key, found)
        if not _PLAIN_ID.fullmatch(target):
            raise KeyError(found)
        if key in page.targets:
            return page.address(*key)
        return f"{page.ways[0] if page.own else ''}#{found}"

    def __iter__(self) -> Iterator[str]:
        return iter(self._page.owners)

    def __len__(self) -> int:
        return len(self._page.owners)
