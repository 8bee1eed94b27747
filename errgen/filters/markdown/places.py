"""The places of a catalog's pages: a catalog flows in, pages that know what is found where flow out."""

import posixpath
import unicodedata
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any, Final
from urllib.parse import quote

from errgen.codespace import anchor
from errgen.filters.markdown.page import Key, Page
from errgen.filters.markdown.spans import md, unlinked
from errgen.memo import remembered
from errgen.model import Catalog, ErrorSpec, Reservation
from errgen.pagenames import page_names

# GitHub does not show a page of more than 512 kB.
MOST_ON_A_PAGE: Final = 300
_ENTRY: Final = "markdown/errors.md.j2"
_KINDS: Final = {"per-category": "category", "per-error": "error"}
_EACH: Final = "markdown/errors/[{}].md.j2"
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


def mdpage(
    catalog: Catalog,
    options: Mapping[str, Any] | None = None,
    outputs: Mapping[str, str] | None = None,
    path: str = "",
) -> Page:
    """Return what is found where, from the page at a path; without one, on a single page."""
    options = options or {}
    # Pages are published, so that who may read what is for logs has to be said.
    page = replace(_places(catalog), shows_logs=options.get("audience") == "internal")
    form = mdform(catalog, options)
    if not outputs or _ENTRY not in outputs:
        return page
    entry, kind = outputs[_ENTRY], _KINDS.get(form, "")
    ways = _ways(entry, outputs[_EACH.format(kind)] if kind else entry, posixpath.dirname(path))
    own = "" if path == entry else posixpath.basename(path)
    files = _files(catalog, kind) if kind else {}
    return replace(page, form=form, files=files, own=own, ways=ways)


def mdpicture(outputs: Mapping[str, str], name: str, path: str, told: str) -> str:
    """Return an image that a template of the target makes, seen from the page at a path; "" where no template does."""
    file = outputs.get(f"markdown/{name}.j2")
    if file is None:
        return ""
    way = posixpath.relpath(file, posixpath.dirname(path) or ".")
    return f"![{unlinked(md(told))}]({quote(way)})"


def mdform(catalog: Catalog, options: Mapping[str, Any]) -> str:
    """Return how much a page holds: what the project wants, or what GitHub can show."""
    default = "single" if len(catalog.errors) <= MOST_ON_A_PAGE else "per-category"
    return str(options.get("pages", default))


@cache
def _ways(entry: str, each: str, folder: str) -> tuple[str, str]:
    """Return the ways from a folder to the entry, and to the folder of all other pages."""
    start = folder or "."
    other = posixpath.relpath(posixpath.dirname(each) or ".", start)
    return quote(posixpath.relpath(entry, start)), "" if other == "." else f"{quote(other)}/"


@remembered
def _files(catalog: Catalog, kind: str) -> dict[Key, str]:
    """Return the file in which each error stands, and those of categories where these have pages."""
    names = page_names(catalog)
    if kind == "error":
        return {("error", item.name): f"{names['error', item.name]}.md" for item in catalog.errors}
    files = {item.name: f"{names['category', item.name]}.md" for item in catalog.categories}
    return {
        **{("page", name): file for name, file in files.items()},
        **{("error", error.name): files[error.category.name] for error in catalog.errors},
    }


@remembered
def _places(catalog: Catalog) -> Page:
    """Return what is found where on a single page. Codes come first, for they are published as fragments."""
    items: list[tuple[Key, ErrorSpec | Reservation]] = [
        *((("error", error.name), error) for error in catalog.errors),
        *((("reserved", index), item) for index, item in enumerate(catalog.reserved)),
    ]
    owners: dict[str, Key] = {}
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
    for policy in catalog.policies:
        # A row of a table has no heading, but is called as if it had.
        key = ("retry", policy.name)
        headings[key] = policy.name
        targets[key] = _claim(f"retry-{policy.name}", key, owners, slugs)
    ids: dict[Key, tuple[str, ...]] = {}
    for found, key in owners.items():
        ids[key] = (*ids.get(key, ()), found)
    return Page(headings, ids, targets, owners)


def _claim(
    wanted: str, key: Key, owners: dict[str, Key], slugs: Mapping[str, Key] | None = None
) -> str:
    while owners.get(wanted, key) != key or (slugs or {}).get(wanted, key) != key:
        wanted += "-"
    owners[wanted] = key
    return wanted


def _headings(catalog: Catalog, owners: Mapping[str, Key]) -> tuple[dict[Key, str], dict[str, Key]]:
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
    named += (("translation", item.name, item.name, "translation") for item in catalog.translations)
    headings: dict[Key, str] = {}
    slugs: dict[str, Key] = {}
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
