"""The places of a page: a catalog flows in, the heading and the ids of each thing flow out."""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from errgen.codespace import anchor
from errgen.filters.markdown.spans import md, unlinked
from errgen.model import Catalog, ErrorSpec, Reservation

_Key: TypeAlias = tuple[str, object]
_PLAIN_ID: Final = re.compile(r"[\w.~-]+", re.ASCII)
_SECTIONS: Final = {
    "contents": "Contents",
    "reading": "How to read an error",
    "layers": "How errors travel",
    "ranges": "Code ranges",
    "reacting": "What to do",
    "operations": "Operations",
    "errors": "Errors by category",
    "translations": "Foreign errors",
    "code": "In code",
    "tags": "Tags",
    "deprecated": "Deprecated errors",
    "reserved": "Reserved codes",
}


@dataclass(frozen=True, slots=True)
class Page:
    """Where things are found on a page: their headings, the ids of each, and the one to link to.

    No id, and no fragment that GitHub makes of a heading, is found at two places. `anchors` maps each id to the one to
    link to, which a URL can hold as it is.
    """

    headings: Mapping[_Key, str]
    ids: Mapping[_Key, tuple[str, ...]]
    targets: Mapping[_Key, str]
    anchors: Mapping[str, str]

    def heading(self, kind: str, name: object) -> str:
        """Return the text of a thing's heading; a stop at its end is written so that no linter takes it for one."""
        text = md(self.headings[kind, name])
        return re.sub(
            "[.,;:!\u3002\uff0c\uff1b\uff1a\uff01]$", lambda stop: f"&#{ord(stop[0])};", text
        )

    def anchor(self, kind: str, name: object) -> str:
        """Return the HTML by which a thing is found under each of its ids; GitLab keeps names alone."""
        ids = self.ids.get((kind, name), ())
        coded = (re.sub(r"[^\w.:~%/@-]", lambda char: f"&#{ord(char[0])};", found) for found in ids)
        return "".join(f'<a id="{found}" name="{found}"></a>' for found in coded)

    def link(self, kind: str, name: object) -> str:
        """Return a link to a thing under its heading."""
        text = name if kind == "error" else unlinked(self.heading(kind, name))
        return f"[{text}](#{self.targets[kind, name]})"


def mdpage(catalog: Catalog) -> Page:
    """Return what is found where on the page of a catalog. Codes come first, for they are published as fragments."""
    items: list[tuple[_Key, ErrorSpec | Reservation]] = [
        *((("error", error.name), error) for error in catalog.errors),
        *((("reserved", index), item) for index, item in enumerate(catalog.reserved)),
    ]
    owners: dict[str, _Key] = {}
    for key, item in items:
        if item.code is not None:
            # An id holds no space, and a browser finds one in percent encoding too.
            code = str(item.code)
            owners.setdefault(anchor(code) if " " in code else code, key)
    targets = {
        key: _claim(item.name, key, owners) for key, item in items if isinstance(item, ErrorSpec)
    }
    for key, item in items:
        names = item.aliases if isinstance(item, ErrorSpec) else (item.name,)
        for name in filter(None, names):
            owners.setdefault(name, key)
    headings, slugs = _headings(catalog, owners)
    for slug, key in slugs.items():
        if key[0] not in ("title", "error"):
            wanted = slug if key[0] == "section" else f"{key[0]}-{key[1]}"
            targets[key] = _claim(wanted, key, owners, slugs)
    ids: dict[_Key, tuple[str, ...]] = {}
    for found, key in owners.items():
        ids[key] = (*ids.get(key, ()), found)
    anchors = {found: targets.get(key, found) for found, key in owners.items()}
    kept = {found: target for found, target in anchors.items() if _PLAIN_ID.fullmatch(target)}
    return Page(headings, ids, targets, kept)


def _claim(
    wanted: str, key: _Key, owners: dict[str, _Key], slugs: Mapping[str, _Key] | None = None
) -> str:
    while owners.get(wanted, key) != key or (slugs or {}).get(wanted, key) != key:
        wanted += "-"
    owners[wanted] = key
    return wanted


def _headings(
    catalog: Catalog, owners: Mapping[str, _Key]
) -> tuple[dict[_Key, str], dict[str, _Key]]:
    """Return each heading, with a word in brackets where it would be found under the id of something else."""
    absent = {
        name
        for name in ("ranges", "operations", "translations", "tags", "deprecated", "reserved")
        if not getattr(catalog, name)
    } | ({"reading"} if catalog.response is None else set())
    absent |= set() if catalog.travels else {"code"}
    sections = {name: text for name, text in _SECTIONS.items() if name not in absent}
    layers = catalog.layers if len(catalog.layers) > 1 else ()
    categories = [category for category, errors in catalog.errors_by_category if errors]
    named: list[tuple[str, object, str, str]] = [("title", "", catalog.title, "catalog")]
    named += (("error", error.name, error.name, str(error.code)) for error in catalog.errors)
    named += (("section", name, text, "section") for name, text in sections.items())
    named += (("layer", layer.name, layer.title, "layer") for layer in layers)
    named += (("category", item.name, item.title, "category") for item in categories)
    named += (("retry", policy.name, policy.name, "retry policy") for policy in catalog.policies)
    named += (("translation", item.name, item.name, "translation") for item in catalog.translations)
    headings: dict[_Key, str] = {}
    slugs: dict[str, _Key] = {}
    for kind, name, title, hint in named:
        key, text = (kind, name), title
        while (slug := _slug(text)) in slugs or owners.get(slug, key) != key:
            text = f"{text} ({hint})"
        headings[key], slugs[slug] = text, key
    return headings, slugs


def _slug(heading: str) -> str:
    """Return the fragment that GitHub makes of a heading."""
    return "".join(
        "-" if char == " " else char
        for char in heading.lower()
        if char in " -"
        or unicodedata.category(char)[0] in "LMN"
        or unicodedata.category(char) == "Pc"
    )
