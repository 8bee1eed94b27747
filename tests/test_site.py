"""The site of the docs: it is built once, served on this machine, and read in a real browser as its readers do."""

import json
import os
import re
import shutil
import subprocess
import sys
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, Final

import pytest
from conftest import Node
from support import ROOT

_BUILD: Final = ROOT / ".github" / "site" / "build_site.py"
_PAGES: Final = (
    *("/", "/quickstart/", "/migrating/", "/format/", "/configuration/", "/commands/"),
    *("/pipelines/", "/diagnostics/", "/compatibility/", "/targets/", "/errors/"),
)
# As Debian, Ubuntu and Google call it.
_BROWSERS: Final = ("chromium", "chromium-browser", "google-chrome")
_FENCED: Final = re.compile(r"^```\w*\n(.*?)\n```$", re.DOTALL | re.MULTILINE)


class _Handler(SimpleHTTPRequestHandler):
    """Serves files, and says nothing of it."""

    def log_message(self, *_: object) -> None:
        """Keep the output of the tests clean."""


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the built site."""
    folder = tmp_path_factory.mktemp("site")
    built = build(folder)
    assert built.returncode == 0, built.stdout + built.stderr
    return folder / "public"


@pytest.fixture(scope="session")
def seen(site: Path, node: Node) -> Any:
    """Return what a reader meets, as tests/js/site.mjs tells it."""
    browser = next(filter(None, map(shutil.which, _BROWSERS)), None)
    if browser is None:
        pytest.fail("Chromium is not installed: run .ci/run once, or apt-get install chromium")
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Handler, directory=str(site))) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}"
        done = node(str(ROOT / "tests/js/site.mjs"), address, browser, *_PAGES)
        server.shutdown()
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    told["host"] = address.removeprefix("http://")
    return told


def build(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Build the site as a person does."""
    return subprocess.run(
        [sys.executable, str(_BUILD), str(folder), *options],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("words", ["number", "words"])
def test_a_search_leads_to_the_section_of_an_error(seen: Any, words: str) -> None:
    found = seen["search"][words]
    assert found["path"] == "/errors/#3001"
    assert found["visible"]
    assert "RATE_LIMIT_EXCEEDED" in found["titles"][0]


def test_a_search_for_words_of_a_message_leads_to_its_error(seen: Any) -> None:
    assert seen["search"]["message"]["path"] == "/errors/#3002"


def test_the_keyboard_alone_skips_searches_and_arrives(seen: Any) -> None:
    told = seen["keyboard"]
    assert told["first"] == "Skip to content"
    assert told["skipped"] == "__skip"
    assert told["searchIsReached"]
    assert told["path"] == "/errors/#3002"
    assert told["visible"]


@pytest.mark.parametrize("path", ["/errors/", "/quickstart/"])
def test_a_copied_snippet_is_the_code_of_the_page(seen: Any, site: Path, path: str) -> None:
    page = (site / f"{path.strip('/')}.md").read_text("utf-8")
    shown = _FENCED.findall(page)
    copied = [text.rstrip("\n") for text in seen["copied"][path]]
    assert copied
    assert set(copied) <= set(shown)


def test_the_page_is_dark_where_the_system_is_or_the_reader_says_so(seen: Any) -> None:
    told = seen["schemes"]
    assert told["bySystem"] == "slate"
    assert told["shown"] == ["default", "default", "slate"]
    assert told["kept"] == "slate"
    assert max(map(int, re.findall(r"\d+", told["background"])[:3])) < 64


@pytest.mark.parametrize(
    ("link", "heading"),
    [
        ("/errors/#2002", "MISSING_REQUIRED_FIELD"),
        ("/errors#4001", "ADAPTER_ERROR"),
        ("/errors/#PARSE_ERROR", "PARSE_ERROR"),
        ("/diagnostics/#EG301", "UNKNOWN_REFERENCE"),
    ],
)
def test_a_link_to_an_error_shows_it(seen: Any, link: str, heading: str) -> None:
    told = seen["deep"][link]
    assert heading in told["heading"]
    assert told["visible"]


@pytest.mark.parametrize("path", _PAGES)
def test_a_phone_shows_no_page_that_is_wider_than_itself(seen: Any, path: str) -> None:
    assert seen["pages"][path]["phone"] == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", _PAGES)
def test_no_page_shuts_anyone_out(seen: Any, path: str, scheme: str) -> None:
    assert seen["pages"][path][scheme] == []


def test_nothing_is_asked_of_another_host_and_nothing_fails(seen: Any) -> None:
    assert seen["hosts"] == [seen["host"]]
    assert seen["complaints"] == []


def docs_urls() -> list[str]:
    """Return the address that each error of the reference catalog gives in its body."""
    text = (ROOT / "generated" / "conformance.json").read_text("utf-8")
    return sorted(set(re.findall(r'"docs_url": "([^"]+)"', text)))


@pytest.mark.parametrize("url", docs_urls())
def test_every_address_in_a_body_is_there(site: Path, url: str) -> None:
    path, _, anchor = url.removeprefix("https://errgen.example/").partition("#")
    page = (site / path / "index.html").read_text("utf-8")
    assert page.count(f' id="{anchor}"') == 1


def test_no_page_has_two_elements_of_one_id(site: Path) -> None:
    for page in site.rglob("*.html"):
        ids = re.findall(r'<[^>]* id="([^"]+)"', page.read_text("utf-8"))
        assert len(ids) == len(set(ids)), page


def test_programs_get_the_markdown_of_every_page(site: Path) -> None:
    generated = ROOT / "generated" / "markdown"
    for page in generated.rglob("*.md"):
        path = page.relative_to(generated)
        assert (site / path).read_bytes() == page.read_bytes()
    catalogs = sorted(path.name for path in generated.glob("*.llms.txt"))
    for name in catalogs:
        assert (site / name).read_bytes() == (generated / name).read_bytes()
    pages = ["index.md" if path == "/" else f"{path.strip('/')}.md" for path in _PAGES]
    index = (site / "llms.txt").read_text("utf-8")
    assert re.findall(r"\]\((.+?)\)", index) == [*pages, *catalogs]


@pytest.fixture(scope="session")
def varied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the site of pages in every form that the Markdown target may give them."""
    pages = tmp_path_factory.mktemp("pages")
    shutil.copytree(ROOT / "generated" / "markdown", pages, dirs_exist_ok=True)
    errors = (pages / "errors.md").read_text("utf-8")
    errors = errors.replace(
        "#MISSING_REQUIRED_FIELD)", "#MISSING_REQUIRED_FIELD) ([page](errors/2002.md))", 1
    )
    front = '---\ntitle: "Errors: all"\ndescription: What went wrong\n---\n'
    (pages / "errors.md").write_text(front + errors + _ENDING, "utf-8")
    (pages / "errors").mkdir(exist_ok=True)
    (pages / "errors" / "2002.md").write_text(
        f"{front}# 2002\n\n[All](../errors.md#2002)\n", "utf-8"
    )
    (pages / "errors.ranges.svg").write_text(_PICTURE, "utf-8")
    (pages / "errors.llms.txt").write_text("# Errors\n", "utf-8")
    folder = tmp_path_factory.mktemp("varied")
    built = build(folder, "--generated", str(pages), "--url", "https://errgen.example")
    assert built.returncode == 0, built.stdout + built.stderr
    return folder / "public"


_PICTURE: Final = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><title>Ranges</title></svg>\n'
)
_ENDING: Final = """
![Ranges](errors.ranges.svg)

> [!WARNING]
> Repeat nothing.

<details><summary>In Python</summary>

```python
import errors
```

</details>

- one
  - two
    - three
"""


def test_front_matter_becomes_title_and_description(varied: Path) -> None:
    page = (varied / "errors" / "index.html").read_text("utf-8")
    assert "<title>Errors: all - errgen</title>" in page
    assert '<meta name="description" content="What went wrong">' in page
    assert "title: &quot;Errors" not in page


def test_details_alerts_lists_and_pictures_come_out_as_on_github(varied: Path) -> None:
    page = (varied / "errors" / "index.html").read_text("utf-8")
    assert re.search(
        r"<details><summary>In Python</summary>\n<div class=\"language-python highlight\"", page
    )
    assert '<div class="admonition warning">\n<p class="admonition-title">Warning</p>' in page
    assert re.search(r"<li>one\n<ul>\n<li>two\n<ul>\n<li>three</li>", page)
    assert '<img src="../errors.ranges.svg" alt="Ranges"' in page
    assert (varied / "errors.ranges.svg").read_text("utf-8") == _PICTURE
    assert "```" not in page


def test_a_page_for_one_error_has_its_address_and_its_markdown(varied: Path) -> None:
    page = (varied / "errors" / "2002" / "index.html").read_text("utf-8")
    assert '<a href="../../errors/#2002">All</a>' in page
    assert (varied / "errors" / "2002.md").read_text("utf-8").startswith("---\ntitle")
    page = (varied / "errors" / "index.html").read_text("utf-8")
    assert '<a href="../errors/2002/">page</a>' in page
    assert "(errors.llms.txt)" in (varied / "llms.txt").read_text("utf-8")


def test_every_page_says_where_it_is_published(varied: Path) -> None:
    page = (varied / "errors" / "index.html").read_text("utf-8")
    assert '<link rel="canonical" href="https://errgen.example/errors/">' in page


@pytest.mark.parametrize("link", ["errors/2003.md", "#NOT_THERE", "errors.md#2"])
def test_a_broken_link_stops_the_build(tmp_path: Path, link: str) -> None:
    pages = tmp_path / "pages"
    shutil.copytree(ROOT / "generated" / "markdown", pages)
    with (pages / "errors.md").open("a", encoding="utf-8") as page:
        page.write(f"\n[broken]({link})\n")
    built = build(tmp_path / "site", "--generated", str(pages))
    assert built.returncode != 0
    assert "does not exist" in built.stdout + built.stderr
