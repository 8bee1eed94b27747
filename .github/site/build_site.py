"""Builds the site: prose, generated pages and the facts of the package flow in, a folder of static files flows out.

python .github/site/build_site.py [FOLDER] [--url URL] leaves the site in FOLDER/public; by default FOLDER is
build/site. A broken link stops it.

A line of a page that is <!-- file: PATH --> stands for that file as code, <!-- readme: HEADING --> for what the README
says below a heading, and <!-- made: NAME --> for what reference_pages.py makes of the package.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from reference_pages import PARTS

HERE: Final = Path(__file__).resolve().parent
ROOT: Final = HERE.parents[1]
_GENERATED: Final = ROOT / "generated" / "markdown"
_LANGUAGES: Final = {".hpp": "cpp", ".j2": "jinja", ".txt": "text"}
_SUMMARY: Final = re.compile(r"^# (.+)\n\n((?:.+\n)+)", re.MULTILINE)
_EXAMPLE: Final = re.compile(r"^<!-- example: \w+ -->\n", re.MULTILINE)
_LINK: Final = re.compile(r"\[([^\]]+)\]\((?!https?:|#)([^)]+)\)")
_INDEX: Final = """\
# errgen

> One YAML error catalog becomes Python enums, JSON Schema, TypeScript types and Markdown docs, so that a server, its
> clients, its wire contract and its manual never disagree about an error.

Every page of this site is there as Markdown too.

## Pages

"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Build, and return the exit code of the generator."""
    parser = argparse.ArgumentParser(description="Build the site of errgen.")
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "build" / "site")
    parser.add_argument("--url", default="", help="address at which the site is published")
    parser.add_argument("--generated", type=Path, default=_GENERATED, help="pages of the catalogs")
    options = parser.parse_args(arguments)
    folder = options.folder.resolve()
    assemble(folder, options.url, options.generated)
    if status := _generate(folder):
        return status
    _publish_markdown(folder)
    print(f"built {folder / 'public'}")
    return 0


def assemble(folder: Path, url: str = "", generated: Path = _GENERATED) -> None:
    """Put all that the generator reads into a folder."""
    shutil.rmtree(folder, ignore_errors=True)
    pages = folder / "docs"
    shutil.copytree(HERE / "docs", pages)
    for page in sorted(pages.glob("*.md")):
        page.write_text(assembled(page.read_text("utf-8")), "utf-8")
    shutil.copytree(generated, pages, dirs_exist_ok=True)
    config = (HERE / "zensical.toml").read_text("utf-8")
    if url:
        config = config.replace("[project]\n", f'[project]\nsite_url = "{url.rstrip("/")}/"\n', 1)
    (folder / "zensical.toml").write_text(config, "utf-8")


def assembled(text: str) -> str:
    """Return a page with the files and tables that it names in their places."""
    text = re.sub(
        r"^<!-- file: (\S+) -->$", lambda match: _code(match[1]), text, flags=re.MULTILINE
    )
    text = re.sub(
        r"^<!-- readme: (.+) -->$", lambda match: _of_readme(match[1]), text, flags=re.MULTILINE
    )
    text = re.sub(
        r"^<!-- made: (\w+) -->$",
        lambda match: PARTS[match[1]]().rstrip("\n"),
        text,
        flags=re.MULTILINE,
    )
    # Links that lead to the generated pages in the repository lead to their neighbours here.
    return text.replace("](../../../generated/markdown/", "](")


def _code(path: str) -> str:
    suffix = Path(path).suffix
    language = _LANGUAGES.get(suffix, suffix.removeprefix("."))
    text = (ROOT / path).read_text("utf-8").rstrip("\n")
    return f"```{language}\n{text}\n```"


def _of_readme(heading: str) -> str:
    """Return a section of the README; a link to a file that is no page of the site becomes its text."""
    text = (ROOT / "README.md").read_text("utf-8")
    # A heading that the README lacks stops the build.
    _, section = text.split(f"\n## {heading}\n\n")
    section = _EXAMPLE.sub("", section.partition("\n## ")[0])
    return _LINK.sub(_neighbour, section).rstrip("\n")


def _neighbour(match: re.Match[str]) -> str:
    text, target = match.groups()
    path = ROOT / target.partition("#")[0]
    is_page = path.parent in (HERE / "docs", _GENERATED) and path.suffix == ".md"
    return f"[{text}]({target.rpartition('/')[2]})" if is_page else str(text)


def _generate(folder: Path) -> int:
    """Run the generator, which finds the parser of the pages beside this file."""
    paths = [str(HERE), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(paths), "NO_COLOR": "1"}
    command = [sys.executable, "-m", "zensical", "build", "--strict", "--clean"]
    done = subprocess.run(command, cwd=folder, env=environment, check=False)  # noqa: S603
    return done.returncode


def _publish_markdown(folder: Path) -> None:
    """Copy each page's Markdown beside it, and list them for programs that read."""
    pages, public = folder / "docs", folder / "public"
    lines = []
    for page in sorted(pages.rglob("*.md"), key=_place):
        path = page.relative_to(pages)
        (public / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(page, public / path)
        if path.parent == Path() and (match := _SUMMARY.search(page.read_text("utf-8"))):
            summary = " ".join(match[2].split())
            lines.append(f"- [{match[1]}]({path.as_posix()}): {summary}\n")
    catalogs = [f"- [{path.name}]({path.name})\n" for path in sorted(pages.glob("*llms.txt"))]
    parts = [_INDEX, *lines, *(["\n## Error codes\n\n", *catalogs] if catalogs else [])]
    (public / "llms.txt").write_text("".join(parts), "utf-8")


def _place(page: Path) -> tuple[int, str]:
    """Sort the pages of the navigation as they stand there, and others after them."""
    place = (HERE / "zensical.toml").read_text("utf-8").find(f'"{page.name}"')
    return (place if place >= 0 else sys.maxsize, page.as_posix())


if __name__ == "__main__":
    sys.exit(main())
