"""Reads pages as GitHub does: Markdown flows in, HTML and a table of contents flow out to the site generator.

The generator's own Markdown is another dialect, in which nested lists, code in <details>, and alerts of the generated
pages come out wrong. As a parser that replaces it, this is an extension of Python-Markdown in form alone.
"""

import re
from collections.abc import Iterator, Sequence
from html import escape
from itertools import pairwise
from typing import Any, Final, TypeAlias

from markdown import Markdown
from markdown.extensions import Extension
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from pygments import highlight
from pygments.formatters.html import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

_Entry: TypeAlias = dict[str, Any]

_ALERT: Final = re.compile(r"\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\](?:\n|$)")
# What the theme calls them.
_ADMONITIONS: Final = {"IMPORTANT": "info", "CAUTION": "danger"}
_ANCHOR: Final = re.compile(r'<a id="([^"]+)"[^>]*>')
_TAG: Final = re.compile(r"<[^>]*>")


class GitHubMarkdown(Extension):
    """Puts the parser of this module in the place of Python-Markdown's."""

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802
        """Replace the one method that the generator calls."""

        def convert(text: str) -> str:
            html, contents = rendered(text)
            md.toc_tokens = contents  # type: ignore[attr-defined]
            return html

        md.convert = convert  # type: ignore[method-assign, assignment]


def makeExtension(**_: Any) -> GitHubMarkdown:  # noqa: N802
    """Return the extension, as Python-Markdown asks for it."""
    return GitHubMarkdown()


def rendered(text: str) -> tuple[str, list[_Entry]]:
    """Return a page as HTML, and its headings as a tree."""
    parser = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    parser.add_render_rule("fence", _fence)
    parser.add_render_rule("table_open", _table_open)
    parser.add_render_rule("table_close", _table_close)
    tokens = parser.parse(text)
    tokens = list(_without_anchors(list(_with_alerts(tokens))))
    headings = _name_headings(parser, tokens)
    return parser.renderer.render(tokens, parser.options, {}), _tree(headings)


def _fence(_: RendererHTML, tokens: Sequence[Token], index: int, *__: Any) -> str:
    """Colour code, in the elements to which the theme adds a button that copies."""
    token = tokens[index]
    language = token.info.split()[0] if token.info.strip() else "text"
    try:
        lexer = get_lexer_by_name(language, stripnl=False)
    except ClassNotFound:
        lexer = get_lexer_by_name("text", stripnl=False)
    code = highlight(token.content, lexer, HtmlFormatter(nowrap=True))
    # A search is for what pages say; the words of snippets would drown it.
    attributes = f'class="language-{escape(language)} highlight" data-search-exclude'
    return f"<div {attributes}><pre><code>{code}</code></pre></div>\n"


def _table_open(*_: Any) -> str:
    """Let a wide table scroll inside itself, with the keyboard too."""
    return '<div class="scrolling" role="group" aria-label="Table" tabindex="0"><table>\n'


def _table_close(*_: Any) -> str:
    return "</table></div>\n"


def _with_alerts(tokens: list[Token]) -> Iterator[Token]:
    """Make admonitions of quotes that begin with a mark such as [!NOTE]."""
    for index, token in enumerate(tokens):
        kind = _alert(tokens[index : index + 3])
        if kind is not None:
            token.tag = _closing(tokens[index:]).tag = "div"
            token.attrSet("class", f"admonition {_ADMONITIONS.get(kind, kind.lower())}")
        yield token
        if kind is not None:
            title = f'<p class="admonition-title">{kind.capitalize()}</p>\n'
            yield Token("html_block", "", 0, content=title)


def _alert(tokens: list[Token]) -> str | None:
    """Return the kind of alert that a quote is, whose mark is taken away, or None."""
    if [token.type for token in tokens] != ["blockquote_open", "paragraph_open", "inline"]:
        return None
    inline = tokens[2]
    match = _ALERT.match(inline.content)
    if match is None or inline.children is None:
        return None
    # The mark is a text of its own, and what follows it begins on the next line.
    inline.children = inline.children[2:]
    return match[1]


def _closing(tokens: list[Token]) -> Token:
    """Return the token that ends what the first one begins."""
    return next(
        token
        for token in tokens
        if token.type == "blockquote_close" and token.level == tokens[0].level
    )


def _without_anchors(tokens: list[Token]) -> Iterator[Token]:
    """Move anchors that stand above a heading into it: it is what links mean, and what is found in a search."""
    index = 0
    while index < len(tokens):
        ids = _anchors(tokens[index : index + 4])
        if ids:
            tokens[index + 3].meta["ids"] = ids
            index += 3
        yield tokens[index]
        index += 1


def _anchors(tokens: list[Token]) -> list[str]:
    types = [token.type for token in tokens]
    if types != ["paragraph_open", "inline", "paragraph_close", "heading_open"]:
        return []
    content = tokens[1].content
    return [] if _TAG.sub("", content).strip() else _ANCHOR.findall(content)


def _name_headings(parser: MarkdownIt, tokens: list[Token]) -> list[_Entry]:
    """Give every heading an id and a link to itself, and return them all."""
    headings = []
    taken: set[str] = set()
    for opening, inline in pairwise(tokens):
        if opening.type != "heading_open" or inline.children is None:
            continue
        html = parser.renderer.render([inline], parser.options, {})
        name = _TAG.sub("", html).strip()
        first, *others = opening.meta.get("ids") or [_slug(name, taken)]
        taken.add(first)
        opening.attrSet("id", first)
        anchors = "".join(f'<span id="{other}"></span>' for other in others)
        link = f'<a class="headerlink" href="#{first}" title="Permanent link">¶</a>'
        inline.children = [
            Token("html_inline", "", 0, content=anchors),
            *inline.children,
            Token("html_inline", "", 0, content=link),
        ]
        headings.append(
            {"level": int(opening.tag[1]), "id": first, "name": name, "html": html}
            | {"data-toc-label": "", "children": []}
        )
    return headings


def _slug(name: str, taken: set[str]) -> str:
    """Return the anchor that GitHub gives a heading."""
    slug = re.sub(r"[^\w\- ]", "", re.sub(r"&\w+;", "", name).lower()).replace(" ", "-")
    number = 0
    while (found := f"{slug}-{number}" if number else slug) in taken:
        number += 1
    return found


def _tree(headings: list[_Entry]) -> list[_Entry]:
    """Put each heading below the last one of a higher level."""
    roots: list[_Entry] = []
    path: list[_Entry] = []
    for heading in headings:
        while path and path[-1]["level"] >= heading["level"]:
            path.pop()
        (path[-1]["children"] if path else roots).append(heading)
        path.append(heading)
    return roots
