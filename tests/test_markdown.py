"""The Markdown target: a page says of each error what the catalog says, and no text of a catalog escapes its place."""

import html
import json
import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote

import pytest
import support
import yaml
from conftest import Checker
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from markdown_it import MarkdownIt
from markdown_it.token import Token
from support import CATALOGS, catalog_of, rendered, write_catalog

from errgen.codespace import anchor
from errgen.config import CatalogConfig, TargetConfig
from errgen.filters.markdown import md, mdblock, mdcode, mdcomment, mdfence, mdline, mdpage, mdtable
from errgen.guidance import OUTCOME, RECOVERY, advice, capped, duration, rule, schedule
from errgen.message import fill
from errgen.model import Catalog, ErrorSpec, Field
from errgen.render import render
from errgen.resources import templates_dir

_PARSER: Final = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
_ANCHOR: Final = re.compile(r'<a id="([^"]+)" name="\1">')
_FOLD: Final = ("<details><summary>Example and code</summary>", "</details>")
_LINK: Final = re.compile(r"https?://|mailto:|#|(?![A-Za-z][A-Za-z0-9+.-]*:)")
_RETRY: Final = {True: "yes", False: "no", None: "varies"}
HOSTILE: Final = {
    "pipes": "a | b || c |",
    "a pipe behind a backslash": r"a \| b \\| c",
    "backticks": "a ` b `` c ``` d",
    "a script's end": "</script><script>alert(1)</script>",
    "an image with a handler": "<img src=x onerror=alert(1)>",
    "a comment's end": "--> <!-- x",
    "a link to a script": "[x](javascript:alert(1))",
    "a link to a script behind entities": "[x](&#106;avascript:alert(1)) &lt;b&gt;",
    "a reference": "[x]: javascript:alert(1) [x] [x][x] ![x] [^1]",
    "an autolink to a script": "<javascript:alert(1)>",
    "a heading": "# a",
    "a closed heading": "a ##",
    "a list": "- a",
    "a numbered list": "1. a",
    "a quotation": "> a",
    "an underline": "===",
    "a rule": "---",
    "a fence": "~~~ a",
    "emphasis": "*a* **b** _c_ __d__ ~~e~~ a_b_c",
    "mathematics": "$a$ $$b$$",
    "a bare address": "see https://example.com/a_b?c=d&e=f, www.example.com or a@example.com.",
    "an odd address": "https://example.com/%41<b>|`",
    "backslashes at the end": "a\\\\",
    "emoji and letters of any script": "😀 é ж 漢 \N{WARNING SIGN}\N{VARIATION SELECTOR-16}",
    "an alert": "[!NOTE] a",
    "a table": "| a | b | --- | --- |",
    "a template's braces": "{{ a }} {% b %} {# c #}",
    "an attribute's end": "\"><b x='y'>",
}


def page_of(name: str) -> str:
    """Return the page of a real catalog."""
    return support.page_of(CATALOGS[name])


def walk(tokens: Sequence[Token]) -> Iterator[Token]:
    """Yield tokens and those within them."""
    for token in tokens:
        yield token
        yield from walk(token.children or [])


def shown(tokens: Sequence[Token]) -> str:
    """Return the text that a reader sees."""
    parts = {"softbreak": " ", "hardbreak": " "}
    texts = ("text", "text_special", "code_inline", "fence", "code_block")
    return "".join(
        token.content if token.type in texts else parts.get(token.type, "")
        for token in walk(tokens)
    )


def seen(markdown: str) -> str:
    """Return the text of inline Markdown as a reader sees it."""
    return shown(_PARSER.parseInline(markdown))


def folded(text: str) -> str:
    """Return text as HTML shows it: runs of space are one space."""
    return re.sub(r"[ \t\n]+", " ", text).strip()


def dangers(tokens: Sequence[Token]) -> list[str]:
    """Return raw HTML and addresses that no text of a catalog may bring into a page."""
    found = []
    for token in walk(tokens):
        if token.type in ("html_inline", "html_block"):
            found.append(token.content)
        for name in ("href", "src"):
            address = token.attrGet(name)
            if address is not None and not _LINK.match(str(address)):
                found.append(str(address))
    return found


@cache
def sections(text: str) -> dict[str, tuple[int, str]]:
    """Split a page at its headings: the text of each, its level and the Markdown up to the next one of any level."""
    lines, tokens = text.split("\n"), _PARSER.parse(text)
    heads = [
        (token.map[0], int(token.tag[1]), shown([tokens[index + 1]]))
        for index, token in enumerate(tokens)
        if token.type == "heading_open" and token.map
    ]
    ends = [line for line, *_ in heads[1:]] + [len(lines)]
    found = {
        title: (level, "\n".join(lines[line + 1 : end]))
        for (line, level, title), end in zip(heads, ends, strict=True)
    }
    assert len(found) == len(heads), "two headings are equal"
    return found


def body_of(text: str, title: str) -> str:
    """Return the Markdown below a heading."""
    return sections(text)[title][1]


def tables(markdown: str) -> list[list[dict[str, str]]]:
    """Read the tables: rows of as many cells as the head, each under its column, as a reader sees them."""
    found = []
    lines = markdown.split("\n")
    for token in _PARSER.parse(markdown):
        if token.type != "table_open" or token.map is None:
            continue
        head, rule, *rows = (cells(line) for line in lines[slice(*token.map)])
        assert rule == ["---"] * len(head)
        assert len(set(head)) == len(head)
        assert rows
        found.append([dict(zip(head, map(seen, row), strict=True)) for row in rows])
    return found


def cells(line: str) -> list[str]:
    """Split a row at the pipes that are not escaped, and give back those that are."""
    first, *found, last = re.split(r"(?<!\\)\|", line)
    assert first == last == ""
    assert all(cell == " " or (cell[0] == cell[-1] == " ") for cell in found)
    return [cell.strip().replace("\\|", "|") for cell in found]


def facts(markdown: str) -> dict[str, str]:
    """Read the labelled items and paragraphs of a section, as a reader sees them."""
    found = re.findall(r"^(?:- )?\*\*([^*]+):\*\* (.*)$", markdown, re.MULTILINE)
    return {label: seen(text) for label, text in found}


def slug(heading: str) -> str:
    """Return the fragment that GitHub makes of a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def test_markdownlint_accepts_every_page(markdownlint: Checker, tmp_path: Path) -> None:
    files = []
    for name in CATALOGS:
        files.append(tmp_path / name / "errors.md")
        files[-1].parent.mkdir()
        files[-1].write_text(page_of(name), "utf-8")
    for index, (catalog, text) in enumerate(hostile_pages(tmp_path)):
        assert catalog.errors
        files.append(tmp_path / f"hostile-{index}" / "errors.md")
        files[-1].parent.mkdir()
        files[-1].write_text(text, "utf-8")
    result = markdownlint(*files)
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.parametrize("name", CATALOGS)
def test_a_page_begins_with_who_made_it_and_its_title(name: str) -> None:
    catalog, text = catalog_of(CATALOGS[name]), page_of(name)
    assert text.split("\n")[0].startswith(f"<!-- Generated by errgen from {CATALOGS[name].name}")
    assert f"# {catalog.title}\n" in text
    assert f"version {catalog.version}: {len(catalog.errors)} error" in text


@pytest.mark.parametrize("name", CATALOGS)
def test_the_table_of_a_category_holds_its_errors_and_no_other(name: str) -> None:
    catalog, text = catalog_of(CATALOGS[name]), page_of(name)
    page = mdpage(catalog)
    for category, errors in catalog.errors_by_category:
        if not errors:
            assert category.title not in sections(text)
            continue
        (table,) = tables(body_of(text, page.headings["category", category.name]))
        for row, error in zip(table, errors, strict=True):
            check_row(row, error)
            is_graded = len({other.severity for other in errors}) > 1
            assert row.get("Severity") == (error.severity if is_graded else None)


def check_row(row: dict[str, str], error: ErrorSpec) -> None:
    """Compare a row of a category's table with its error."""
    states = (
        f"{' (deprecated)' if error.deprecated else ''}{' (internal)' if error.is_internal else ''}"
    )
    if "Name" in row:
        assert row["Code"] == str(error.code)
        assert row["Name"] == error.name + states
    else:
        assert row["Code"] == f"{error.code}{states}"
        assert error.code == error.name
    policy = "" if error.retryable is False else f", {error.policy.name}"
    assert row["Message"] == fill(error.message, {})
    assert row["Retry"] == _RETRY[error.retryable] + policy
    assert row.get("Recovery", "") == (error.recovery_action or "")
    assert row.get("HTTP", "") == str(error.http_status or "")


@pytest.mark.parametrize("name", CATALOGS)
def test_the_section_of_an_error_says_what_the_catalog_says(name: str) -> None:
    catalog, text = catalog_of(CATALOGS[name]), page_of(name)
    for error in catalog.errors:
        level, section = sections(text)[error.name]
        found = facts(section)
        assert level == 4
        assert f"everity {error.severity}" in section
        assert found["Message"] == fill(error.message, {})
        assert found["Retry"].startswith(_RETRY[error.retryable])
        if error.retryable is not False:
            rule = error.policy, error.safe_to_retry, error.outcome
            assert schedule(capped(catalog.operations, *rule)) in found["Retry"]
            told = advice(catalog.operations, *rule)
            assert found["Retry"].endswith(f". {told}.".replace("`", ""))
        assert found.get("Outcome") == (OUTCOME[error.outcome] if error.outcome else None)
        if error.recovery_action:
            action = RECOVERY[error.recovery_action].rstrip(".")
            assert found["What to do"].startswith(f"{action} ({error.recovery_action})")
            assert error.recovery_hint in found["What to do"]
        else:
            assert "What to do" not in found
        check_rest(error, section, found)


def check_rest(error: ErrorSpec, section: str, found: dict[str, str]) -> None:
    """Compare the facts that only some errors have; what an error lacks has no label."""
    statuses = {
        "HTTP": error.http_status,
        "gRPC": error.grpc_status,
        "JSON-RPC": error.jsonrpc_code,
    }
    known = [f"{protocol} {status}" for protocol, status in statuses.items() if status is not None]
    expected = {
        "Status": " · ".join(known),
        "Also called": ", ".join(error.aliases),
        "Tags": ", ".join(error.tags),
        "Link": error.docs_url or "",
        "See also": ", ".join(
            link.error.name if link.error else str(link.url) for link in error.see_also
        ),
        "Outside its range": error.range_waiver and f"{error.range_waiver}.",
        "Example": error.examples[-1].message if error.examples else "",
    }
    for label, text in expected.items():
        assert found.get(label, "") == text, label
    assert ("Visibility" in found) == error.is_internal
    if error.conceal_as:
        assert f"Callers see {error.conceal_as.name} instead." in found["Visibility"]
    assert (f" · since {error.since}" in section) == bool(error.since)
    assert ("[!WARNING]" in section) == bool(error.deprecated)
    params = [row for table in tables(section) for row in table]
    for row, param in zip(params, error.params, strict=True):
        assert (row["Param"], row["Type"]) == (param.name, param.type)
        assert row.get("Description", "") == folded(param.description)
    assert folded(error.description) in folded(section)
    for key in error.extensions:
        assert f"**{key}:**" in section


@pytest.mark.parametrize("name", CATALOGS)
def test_ranges_are_counted(name: str) -> None:
    catalog, text = catalog_of(CATALOGS[name]), page_of(name)
    assert ("Code ranges" in sections(text)) == bool(catalog.ranges)
    found = (
        [row for table in tables(body_of(text, "Code ranges")) for row in table]
        if catalog.ranges
        else []
    )
    for row, item in zip(found, catalog.ranges, strict=True):
        if item.prefix is None:
            assert (row["First"], row["Last"]) == (str(item.first), str(item.last))
            assert int(row["Free"]) == item.free
        else:
            assert row["Begins with"] == item.prefix
        assert row["Category"] == item.category.title
        assert (int(row["Used"]), int(row["Reserved"])) == (item.used, item.reserved)
        assert row.get("Description", "") == item.description


@pytest.mark.parametrize("name", CATALOGS)
def test_policies_and_operations_are_told_in_words_and_numbers(name: str) -> None:
    catalog, text = catalog_of(CATALOGS[name]), page_of(name)
    policies = next(table for table in tables(body_of(text, "What to do")) if "Policy" in table[0])
    for row, policy in zip(policies, catalog.policies, strict=True):
        assert (row["Policy"], row["Retry"]) == (policy.name, _RETRY[policy.retryable])
        told = capped(catalog.operations, policy, policy.safe_to_retry)
        retries = policy.retryable is not False
        waits = schedule(told) if retries and policy.max_attempts else ""
        assert row.get("Delays", "") == waits
        wait = duration(policy.retry_after_ms) if policy.retry_after_ms else ""
        assert row.get("Shortest wait", "").split(",")[0] == wait
        repeats = rule(catalog.operations, policy) if retries else ""
        assert row.get("Repeats", "") == repeats.replace("`", "")
        assert row.get("Description", "") == policy.description
    if not catalog.operations:
        assert "Operations" not in sections(text)
        return
    (table,) = tables(body_of(text, "Operations"))
    for row, operation in zip(table, catalog.operations, strict=True):
        assert (row["Operation"], row["Effect"]) == (operation.name, operation.effect)
        assert row["Same result if repeated"] == ("yes" if operation.idempotent else "no")
        assert int(row["Attempts at most"]) == operation.max_attempts


@pytest.mark.parametrize("name", CATALOGS)
def test_the_body_is_told_field_by_field(name: str) -> None:
    catalog, text = catalog_of(CATALOGS[name]), page_of(name)
    if catalog.response is None:
        assert "How to read an error" not in sections(text)
        return
    found = tables(body_of(text, "How to read an error"))
    wrap = f"{catalog.response.wrap}." if catalog.response.wrap else ""
    bodies = [flat(catalog.response.fields, wrap), flat(catalog.response.success, "")]
    for table, fields in zip(found, filter(None, bodies), strict=True):
        for row, (path, field) in zip(table, fields, strict=True):
            kind = json.dumps(field.value) if field.kind == "constant" else field.type
            assert (row["Field"], row["Type"]) == (
                path,
                "integer or string" if kind == "code" else kind,
            )
            assert row["Present"].startswith("optional" if field.optional else "always")
            assert row["Present"].endswith("may be null") == field.nullable
            assert folded(field.description).replace("`", "") in row["Description"]


def test_chance_makes_no_wait_shorter_than_the_response_asks_for() -> None:
    page = page_of("s4-envelope")
    floor = "and that, but never less than 30 s."
    policies = tables(body_of(page, "What to do"))[-1]
    (outage,) = (row["Delays"] for row in policies if row["Policy"] == "outage")
    assert f"{outage}.".endswith(floor)
    assert floor in facts(body_of(page, "SYSTEM_UNAVAILABLE"))["Retry"]


def flat(fields: Sequence[Field], path: str) -> list[tuple[str, Field]]:
    """Return fields with their paths, each before those inside it."""
    return [
        item
        for field in fields
        for item in ((path + field.name, field), *flat(field.fields, f"{path}{field.name}."))
    ]


def examples(markdown: str) -> list[Any]:
    """Return the JSON examples of a section."""
    return [
        json.loads(token.content)
        for token in _PARSER.parse(markdown)
        if token.type == "fence" and token.info == "json"
    ]


@pytest.mark.parametrize(
    "name", [name for name, path in CATALOGS.items() if catalog_of(path).response]
)
def test_the_example_of_a_body_is_valid(name: str) -> None:
    response = catalog_of(CATALOGS[name]).response
    assert response
    (text,) = rendered(CATALOGS[name], "jsonschema").values()
    definitions = json.loads(text)["$defs"]
    body, *success = examples(body_of(page_of(name), "How to read an error"))
    for kind, example in (("", body), *(("Success", item) for item in success)):
        schema = {"$ref": f"#/$defs/{response.type}{kind}", "$defs": definitions}
        assert not list(Draft202012Validator(schema).iter_errors(example))


def test_a_layer_is_shown_with_its_wire_form() -> None:
    page = page_of("reference")
    (sent,) = examples(body_of(page, "Protocol errors"))
    assert sent == {
        "jsonrpc": "2.0",
        "id": 1,
        "error": {"code": -32602, "message": "The parameters of tools/call are not valid"},
    }
    (result,) = examples(body_of(page, "Tool errors"))
    (body,) = examples(body_of(page, "How to read an error"))
    assert result["isError"] is True
    assert result["structuredContent"] == body
    (content,) = result["content"]
    assert all(
        str(body[key]) in content["text"] for key in ("name", "code", "message", "recovery_hint")
    )
    (answer,) = examples(body_of(page_of("s0-mcp-server"), "Domain errors"))
    assert answer["result"]["error"]["code"] == 2002
    assert answer["result"]["error"]["details"] == {"field": "order.customer.email"}


def test_a_problem_is_shown_with_its_members(tmp_path: Path) -> None:
    data = minimal()
    data["layers"] = {"web": {"enum": "WebError", "code": "integer", "wire": "http-problem"}}
    data["errors"]["INVALID"]["http_status"] = 400
    data["response"] = {"type": "Problem", "fields": {"code": {"from": "code"}}}
    _, text = page_from(data, tmp_path)
    assert examples(body_of(text, "How errors travel")) == [
        {
            "type": "about:blank",
            "title": "INVALID",
            "status": 400,
            "detail": "Invalid input",
            "code": 2001,
        }
    ]


@pytest.mark.parametrize("name", CATALOGS)
def test_translations_tags_deprecations_and_reservations_are_listed(name: str) -> None:
    catalog, text = catalog_of(CATALOGS[name]), page_of(name)
    for item in catalog.translations:
        (table,) = tables(body_of(text, item.name))
        found = [tuple(row.values()) for row in table]
        known = [(key, error.name) for key, error in item.entries]
        assert found == [*known, ("any other", item.default.name)]
    if catalog.tags:
        listed = re.findall(r"^- `(.+)`: (.*)$", body_of(text, "Tags"), re.MULTILINE)
        assert [(tag, seen(names)) for tag, names in listed] == [
            (tag, ", ".join(error.name for error in errors)) for tag, errors in catalog.tags
        ]
    if catalog.deprecated:
        (table,) = tables(body_of(text, "Deprecated errors"))
        assert [(row["Code"], row["Since"], row["Reason"]) for row in table] == [
            (str(error.code), error.deprecated.since, error.deprecated.reason)
            for error in catalog.deprecated
            if error.deprecated
        ]
    if catalog.reserved:
        (table,) = tables(body_of(text, "Reserved codes"))
        for row, gone in zip(table, catalog.reserved, strict=True):
            code = f"{gone.first} to {gone.last}" if gone.first is not None else str(gone.code)
            assert (row["Code"], row["Reason"]) == (code, gone.reason)
            assert row["Name"] == (gone.name or "")
            assert row["Use instead"] == (gone.replaced_by.name if gone.replaced_by else "")


@pytest.mark.parametrize("name", CATALOGS)
def test_what_is_for_logs_alone_appears_nowhere(name: str) -> None:
    catalog, text = catalog_of(CATALOGS[name]), page_of(name)
    for error in catalog.errors:
        section = body_of(text, error.name)
        if error.log_message:
            assert fill(error.log_message, {}) not in html.unescape(text)
        for param in error.private_params:
            assert "{" + param.name + "}" not in section
            assert f"| `{param.name}` |" not in section
            if not any(param.description == other.description for other in error.params):
                assert param.description not in section


@pytest.mark.parametrize("name", CATALOGS)
def test_a_page_for_readers_of_the_logs_says_what_is_written_to_them(name: str) -> None:
    catalog = catalog_of(CATALOGS[name])
    target = TargetConfig(None, {"audience": "internal"})
    config = CatalogConfig("c.yaml", "out", {"markdown": target}, ("markdown",), frozenset())
    made = {item.path: item.text for item in render(catalog, config, [templates_dir()])}
    for error in catalog.errors:
        section = html.unescape(body_of(made["out/markdown/c.md"], error.name))
        logged = f"**Log:** {html.unescape(mdcode(fill(error.log_message, {})))}\n"
        assert (logged in section) == bool(error.log_message)
        for param in error.private_params:
            assert f"| `{param.name}` | {param.type} | " in section


def ids_of(text: str) -> list[str]:
    """Return the ids of a page in order, those that GitHub makes of headings too."""
    found: list[str] = []
    for token in _PARSER.parse(text):
        if token.type == "inline":
            found += (html.unescape(each) for each in _ANCHOR.findall(token.content))
    return found


def check_links(catalog: Catalog, text: str) -> None:
    """Check that each fragment leads to one place, and that codes, names and aliases lead to their error."""
    ids, slugs = ids_of(text), [slug(title) for title in sections(text)]
    assert len(set(ids)) == len(ids)
    assert len(set(slugs)) == len(slugs)
    assert not any(re.search(r"\s", each) for each in ids)
    for token in walk(_PARSER.parse(text)):
        target = str(token.attrGet("href") or "")
        if target.startswith("#"):
            assert unquote(target[1:]) in ids, target
    places, codes = place_of_ids(text), {str(error.code) for error in catalog.errors}
    for title in sections(text):
        # A heading's own fragment may be what an id right above it says, and nothing else.
        assert places.get(slug(title), title) == title
    for error in catalog.errors:
        title = mdpage(catalog).headings["error", error.name]
        fragment = anchor(error.code)
        assert title in (places.get(fragment), places.get(unquote(fragment)))
        for name in {error.name, *error.aliases} - codes:
            assert places[name] == title


def place_of_ids(text: str) -> dict[str, str]:
    """Return the heading that each id stands right above."""
    found = {}
    for anchors, heading in re.findall(r"^((?:<a id=.*</a>)+)\n\n#+ (.*)$", text, re.MULTILINE):
        for each in _ANCHOR.findall(anchors):
            found[html.unescape(each)] = seen(heading)
    return found


@pytest.mark.parametrize("name", CATALOGS)
def test_every_link_inside_a_page_finds_one_place(name: str) -> None:
    check_links(catalog_of(CATALOGS[name]), page_of(name))


def minimal() -> dict[str, Any]:
    """Return a catalog with nothing but what must be there."""
    return {
        "errgen": 1,
        "name": "small",
        "version": "1.0.0",
        "categories": {"validation": {"title": "Validation", "retry": "never"}},
        "ranges": [{"first": 2000, "last": 2999, "category": "validation"}],
        "errors": {"INVALID": {"code": 2001, "category": "validation", "message": "Invalid input"}},
    }


def page_from(data: dict[str, Any], folder: Path) -> tuple[Catalog, str]:
    """Return the model and the page of a catalog that must be without a finding."""
    text = yaml.safe_dump(data, allow_unicode=True, sort_keys=False, width=10_000)
    path = write_catalog(folder, text, f"catalog-{len(list(folder.iterdir()))}.yaml")
    return catalog_of(path), support.page_of(path)


def test_what_a_catalog_lacks_has_no_section(tmp_path: Path) -> None:
    _, text = page_from(minimal(), tmp_path)
    assert list(sections(text)) == [
        "small",
        "Contents",
        "What to do",
        "How errors travel",
        "Code ranges",
        "Errors by category",
        "Validation",
        "INVALID",
    ]
    assert all(
        folded(body) for title, (_, body) in sections(text).items() if title != "Errors by category"
    )


def test_headings_give_way_to_the_codes_that_are_published_as_fragments(tmp_path: Path) -> None:
    data = minimal()
    data["layers"] = {"error": {"enum": "ErrorCode", "code": "string"}}
    del data["ranges"]
    data["title"] = "Contents"
    codes = {
        "CONTENTS": "tags",
        "TAGS": "contents",
        "VALIDATION": "validation",
        "INVALID": "what-to-do",
        "CATEGORY": "category-validation",
        "NEVER": "never",
        "RETRY": "retry-never",
        "LOWER": "timeout",
        "TIMEOUT": "LOWER",
        "SPACE": "PD region (not found)",
        "COLON": "urn:a:b",
        "MARKUP": '<b>`|"&amp;*[x](y)',
        "NUMBER": "404",
    }
    data["errors"] = {
        name: {"code": code, "category": "validation", "message": "m", "tags": ["t"]}
        for name, code in codes.items()
    }
    data["errors"]["COLON"]["aliases"] = ["ALIAS"]
    data["docs_url"] = "https://example.com/errors"
    catalog, text = page_from(data, tmp_path)
    check_links(catalog, text)


def hostile(text: str) -> dict[str, Any]:
    """Return a catalog in which every free text is the given one."""
    braced = text.replace("{", "{{").replace("}", "}}")
    data = minimal()
    block = f"{text}\n\n- {text}\n\n```\n{text}"
    data |= {
        "title": text,
        "description": block,
        "x-note": text,
        "layers": {
            "one": {"enum": "OneCode", "code": "integer", "title": text, "description": block},
            "two": {
                "enum": "TwoCode",
                "code": "string",
                "wire": "mcp-tool-result",
                "description": text,
            },
        },
        "categories": {
            "validation": {"title": text, "description": block, "layer": "one", "retry": "paced"},
            "other": {"title": text, "layer": "two", "retry": "never"},
        },
        "ranges": [{"first": 2000, "last": 2999, "category": "validation", "description": block}],
        "retry_policies": {
            "never": {"retryable": False, "description": block},
            "paced": {
                "retryable": True,
                "retry_after": "3s",
                "max_attempts": 3,
                "description": text,
            },
        },
        "operations": {"read": {"effect": "read", "max_attempts": 2, "description": block}},
        "response": {
            "type": "Failure",
            "description": block,
            "wrap": text,
            "fields": {
                "code": {"from": "code"},
                "retryable": {"from": "retryable"},
                text: {"type": "string", "optional": True, "description": block},
                "constant": {"value": text},
                "note": {"from": "x-line", "optional": True},
                "inner": {"description": text, "fields": {f"{text} inner": {"from": "message"}}},
            },
        },
        "translations": {
            "foreign": {
                "kind": "code",
                "description": block,
                "map": {text: "INVALID"},
                "default": "INVALID",
            }
        },
        "reserved": [
            {"code": 2002, "name": "GONE", "reason": text, "replaced_by": "INVALID"},
            {"first": 2900, "last": 2999, "reason": text},
        ],
    }
    data["errors"] = {
        "INVALID": {
            "code": 2001,
            "category": "validation",
            "message": f"{braced} {{field}}",
            "params": {"field": {"type": "string", "description": block}},
            "description": block,
            "recovery": {"action": "fix-input", "hint": text},
            "deprecated": {"since": "1.0.0", "reason": text, "replaced_by": "OTHER"},
            "examples": [{"params": {"field": text}, "description": block}],
            "x-line": text,
            "x-block": f"{text}\n{text}\n",
            "x-list": [text, {"key": text}],
            f"x-{text}": text,
        },
        "OTHER": {
            "code": text,
            "category": "other",
            "message": braced,
            "see_also": ["INVALID", "https://example.com/a_b?c=d&e=f"],
        },
    }
    return data


def hostile_pages(folder: Path) -> Iterator[tuple[Catalog, str]]:
    """Yield the models and pages of catalogs whose texts are hostile."""
    for text in HOSTILE.values():
        yield page_from(hostile(text), folder)


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_no_text_of_a_catalog_escapes_its_place(text: str, tmp_path: Path) -> None:
    catalog, page = page_from(hostile(text), tmp_path)
    tokens = _PARSER.parse(page)
    first, *others = [
        each
        for each in dangers(tokens)
        if not _ANCHOR.match(each) and each.strip() not in ("</a>", *_FOLD)
    ]
    assert first.startswith("<!-- Generated by errgen")
    assert others == [] or [each[:5] for each in others] == ["<!-- "]
    headings = mdpage(catalog).headings
    assert [folded(title) for title in sections(page)] == [
        folded(headings[key]) for key in ordered(catalog)
    ]
    check_links(catalog, page)
    section = body_of(page, headings["error", "INVALID"])
    found = {label: folded(shown_text) for label, shown_text in facts(section).items()}
    assert found["Message"] == folded(f"{text} {{field}}")
    assert found["Example"] == folded(f"{text} {text}")
    assert folded(text) in found["What to do"]
    assert found["x-line"] == folded(text)
    assert folded(f"{text}\n{text}") in folded(shown(_PARSER.parse(section)))
    assert folded(text) in folded(
        shown(_PARSER.parse(section.split("[!WARNING]")[1].split("\n\n")[0]))
    )
    (reserved,) = tables(body_of(page, "Reserved codes"))
    assert [folded(row["Reason"]) for row in reserved] == [folded(text)] * 2
    translated, *_ = (row for table in tables(body_of(page, "foreign")) for row in table)
    assert folded(translated["Foreign code"]) == folded(text)
    fields = [folded(row["Field"]) for row in tables(body_of(page, "How to read an error"))[0]]
    assert folded(f"{text}.{text}") in fields
    (table,) = tables(body_of(page, headings["category", "other"]))
    assert [folded(row["Code"]) for row in table] == [folded(text)]


def ordered(catalog: Catalog) -> Iterator[tuple[str, object]]:
    """Yield the keys of a hostile page's headings in their order."""
    yield "title", ""
    sections = ("contents", "reading", "reacting", "operations", "layers")
    yield from (("section", name) for name in sections)
    yield from (("layer", layer.name) for layer in catalog.layers)
    yield from (("section", name) for name in ("code", "ranges", "errors"))
    for category, errors in catalog.errors_by_category:
        yield "category", category.name
        yield from (("error", error.name) for error in errors)
    yield "section", "translations"
    yield from (("translation", item.name) for item in catalog.translations)
    yield from (("section", name) for name in ("deprecated", "reserved"))


_KEPT: Final = {
    "paragraphs": "One.\n\nTwo, which\ngoes on.",
    "a list": "- one\n- two\n  goes on\n- three",
    "a list in a list": "- one\n  - two\n    - three\n- four",
    "a numbered list": "1. one\n2. two",
    "a list of paragraphs": "- one\n\n  more\n\n- two",
    "code in a list": "- one\n\n  ```py\n  x = 1\n  ```",
    "a quotation": "> one\n> two\n>\n> - three",
    "a code block": "```sh\n$ a | b <c>\nd\n```",
    "code spans": "Use `a | b`, `` a`b `` or `<br>`.",
    "emphasis": "This is *one* and **two** and *three **four***.",
    "a link": "See [the *docs*](https://example.com/a_b?c=d) or [mail](mailto:a@example.com).",
    "an autolink": "See <https://example.com/a_b>.",
    "a hard break": "one\\\ntwo",
    "entities": "&copy; &lt; &#35;",
    "escapes": "\\*one\\* \\<b\\> \\# 1\\. \\\\",
    "punctuation": "1.5 is -1 + 2 (about 50%), #4 = x; a_b_c: 2 > 1 & 3 < 4!",
}
_REWRITTEN: Final = {
    "other marks of a list": ("* one\n* two\n+ three", "- one\n- two\n- three"),
    "other emphasis": ("_one_ and __two__ but not a_b_c", "*one* and **two** but not a_b_c"),
    "another fence": ("~~~ py\nx\n~~~", "```py\nx\n```"),
    "an open fence": ("```\n# x", "```text\n# x\n```"),
    "a fence around a fence": ("~~~\n```\n~~~", "````text\n```\n````"),
    "code by indentation": ("one\n\n    x\n      y\n\ntwo", "one\n\n```text\nx\n  y\n```\n\ntwo"),
    "a heading": ("# One\ntwo", "**One:**\n\ntwo"),
    "a heading with a question": ("## Why?", "**Why?**"),
    "an underlined heading": ("One\n===\ntwo\n---", "**One:**\n\n**two:**"),
    "HTML": ("<div>\n<b>x</b> <!-- y -->\n</div>", "\\<div>\n\\<b>x\\</b> \\<!-- y -->\n\\</div>"),
    "a link to a script": ("[x](javascript:alert(1))", "\\[x\\](javascript:alert(1))"),
    "a link to a script in capitals": ("[x](<JaVaScRiPt:x>)", "\\[x\\](\\<JaVaScRiPt:x>)"),
    "a link to a script behind entities": ("[x](&#x6A;avascript:y)", "\\[x\\](&#x6A;avascript:y)"),
    "a link to a script behind escapes": ("[x](javascript\\:y)", "\\[x\\](javascript\\:y)"),
    "a link to data": ("![x](data:text/html,y)", "!\\[x\\](data:text/html,y)"),
    "a link to any host": ("[x](//example.com)", "\\[x\\](//example.com)"),
    "an image": ("![x](https://example.com/a.png)", "[x](https://example.com/a.png)"),
    "a link to an anchor": (
        "[x](#2001) [y](#INVALID) [z](#nowhere)",
        "[x](#INVALID) [y](#INVALID) \\[z\\](#nowhere)",
    ),
    "a bare address": ("See https://example.com/a_b.", "See <https://example.com/a_b>."),
    "a bare address in a link": (
        "[https://a.example](https://a.example)",
        "[https\\://a.example](https://a.example)",
    ),
    "a link from nothing but here": (
        "Look [here](https://a.example).",
        "Look [https://a.example](https://a.example).",
    ),
    "commands with a prompt": ("```sh\n$ a\n$ b\n```", "```sh\na\nb\n```"),
    "a definition": (
        "[x]: https://example.com\n\n[x]",
        "\\[x\\]: <https://example.com>\n\n\\[x\\]",
    ),
    "a table": ("a | b\n--- | ---\nc | d", "a \\| b\n\\--- \\| ---\nc \\| d"),
    "spaces at a line's end": ("one  \ntwo   ", "one\\\ntwo"),
    "a year at a line's start": ("In\n1986. It was", "In\n1986\\. It was"),
    "two quotations": ("> a\n\n> b", "> a\n>\n> b"),
}


@pytest.mark.parametrize("text", _KEPT.values(), ids=_KEPT)
def test_a_description_keeps(text: str) -> None:
    assert _PARSER.render(mdblock(text, {})) == _PARSER.render(text)


@pytest.mark.parametrize(("text", "expected"), _REWRITTEN.values(), ids=_REWRITTEN)
def test_a_description_is_rewritten_with(text: str, expected: str) -> None:
    assert mdblock(text, {"2001": "#INVALID", "INVALID": "#INVALID"}) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("One.\n\nTwo\nthree.", "One. Two three.", id="paragraphs follow each other"),
        pytest.param("- `a|b`\n- c | d", "- `a\\|b` - c \\| d", id="pipes are escaped in code too"),
        pytest.param(
            "Run:\n\n```sh\na | b\n```", "Run: `a \\| b`", id="a block of code becomes a span"
        ),
        pytest.param("one\\\ntwo", "one two", id="a hard break becomes a space"),
    ],
)
def test_in_a_cell_of_a_description(text: str, expected: str) -> None:
    assert mdline(text, {}) == expected


def test_a_comment_is_not_ended_by_its_text() -> None:
    (block,) = _PARSER.parse(f"<!-- {mdcomment('a --> <b> --!> c')} -->\n\n")
    assert block.type == "html_block"
    assert block.content.count("-->") == 1


def test_a_table_leaves_out_columns_without_text() -> None:
    assert mdtable("| A | B | C |\n| 1 |  | `a\\|b` |\n|  |  | 2 |\n") == (
        "| A | C |\n| --- | --- |\n| 1 | `a\\|b` |\n| | 2 |"
    )


_FRAGMENTS: Final = (
    *(
        "|",
        "`",
        "``",
        "```",
        "~~~",
        "*",
        "**",
        "_",
        "__",
        "[",
        "](",
        "]",
        ")",
        "(",
        "!",
        "<",
        ">",
        "\\",
        "&",
        "#",
        "$",
    ),
    *(
        "\n",
        "\n\n",
        " ",
        "    ",
        "# ",
        "- ",
        "1. ",
        "> ",
        "===",
        "---",
        "<b>",
        "</script>",
        "<!--",
        "-->",
        "&lt;",
        "é",
    ),
    *(
        "[x](javascript:a)",
        "[x](#a)",
        "[a]: b",
        "https://a.example/b_c",
        "www.a.example",
        "a@b.example",
        "<https://a.example>",
        "word",
        "\t",
    ),
)
_TEXTS: Final = st.lists(st.sampled_from(_FRAGMENTS), min_size=1, max_size=12).map("".join)


@given(_TEXTS)
def test_a_line_reads_the_same_wherever_it_stands(text: str) -> None:
    line = folded(text)
    if not line:
        return
    for markdown, around in (
        (md(line), "{}"),
        (f"# {md(line)}", "{}"),
        (f"- **a:** {md(line)}", "a: {}"),
        (f"| a |\n| --- |\n| {md(line)} |", "a{}"),
        (mdcode(line), "{}"),
        (f"| a |\n| --- |\n| {mdcode(line, cell=True)} |", "a{}"),
    ):
        tokens = _PARSER.parse(markdown)
        assert folded(shown(tokens)) == around.replace("{}", line)
        assert dangers(tokens) == []


@given(_TEXTS)
def test_a_description_opens_nothing_that_it_does_not_close(text: str) -> None:
    block = mdblock(text, {"a": "#b"})
    tokens = _PARSER.parse(f"before\n\n{block}\n\nafter `x` *y*\n")
    assert dangers(tokens) == []
    assert [token.type for token in tokens[-3:]] == ["paragraph_open", "inline", "paragraph_close"]
    assert (tokens[-3].level, tokens[-2].content) == (0, "after `x` *y*")
    assert not any(token.type == "heading_open" for token in tokens)
    row = _PARSER.parse(f"| a | b |\n| --- | --- |\n| {mdline(text, {})} | c |")
    assert [token.type for token in row].count("td_open") == 2
    assert dangers(row) == []
    fence = _PARSER.parse(f"{mdfence(text)}\n\nafter")
    assert [token.type for token in fence if token.level == 0] == [
        "fence",
        "paragraph_open",
        "paragraph_close",
    ]


def test_a_text_that_reads_like_a_number_is_found_under_its_own_name(tmp_path: Path) -> None:
    path = write_catalog(
        tmp_path,
        """\
errgen: 1
name: two
version: 1.0.0
docs_url: https://a.example/e
layers: { a: { enum: ACode, code: integer }, b: { enum: BCode, code: string } }
categories: { x: { layer: a, retry: never }, y: { layer: b, retry: never } }
ranges: [{ first: 400, last: 499, category: x }]
errors:
  ONE: { code: 404, category: x, message: One }
  TWO: { code: "404", category: y, message: Two, aliases: [SECOND] }
  THREE: { code: "405", category: y, message: Three }
""",
    )
    links = {error.name: error.docs_url for error in catalog_of(path).errors}
    base = "https://a.example/e#"
    assert links == {"ONE": f"{base}404", "TWO": f"{base}TWO", "THREE": f"{base}405"}
    page = support.page_of(path)
    for name, fragment in (("ONE", "404"), ("TWO", "TWO"), ("THREE", "405")):
        (section,) = re.findall(rf'<a id="{fragment}" [^\n]*\n+#### (\w+)', page)
        assert section == name
