"""The command line: arguments flow in, one core function a command runs, text and an exit code flow out."""

import gc
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from errgen import __version__
from errgen.config import Config, find_config
from errgen.diagnostics import Diagnostic, ErrgenError, OutputError, shown_path
from errgen.editing import new, retire
from errgen.explaining import explain
from errgen.report import summary
from errgen.shell import PATH, progress, reports, show


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="errgen")
def main() -> None:
    """Turn one YAML error catalog into Python enums, JSON Schema, TypeScript types and Markdown docs.

    Without arguments every command finds its catalog by itself: a config ([tool.errgen] in pyproject.toml, or
    errgen.toml) or catalog/errors.yaml, in this folder or the nearest one above.

    Exit codes: 0 all is well, 1 there are findings, 2 wrong usage, wrong configuration or a failing disk.
    """
    # A catalog is a million objects in no cycle: looking for cycles that often costs a twentieth of a build.
    gc.set_threshold(50_000)


@main.command()
@click.argument("catalog", type=PATH, required=False)
@reports()
def build(style: str, catalog: Path | None) -> None:
    """Validate the catalog, render every target and write the files that changed."""
    from errgen.recent import recent

    config = find_config(Path.cwd(), catalog)
    last = recent(config)
    if (done := last.whole) is None:
        from errgen import pipeline  # most of errgen, which a build without work does not need

        with progress() as tell:
            done = pipeline.build(config, last, tell)
    show(style, [warning for item in done.told for warning in item.warnings])
    if style == "text":
        click.echo(_built(config, done))


def _built(config: Config, done: Any) -> str:
    names = {"create": "wrote", "update": "wrote", "remove": "removed"}
    lines = [
        f"{shown_path(config.root / item.path)}: {item.name} {item.version}, {_counted(item.errors, 'error')}"
        for item in done.told
    ]
    lines += [f"{names[kind]} {shown_path(config.root / path)}" for kind, path in done.changes]
    if done.unchanged:
        lines.append(f"{_counted(done.unchanged, 'file')} unchanged")
    return "\n".join(lines)


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


@main.command()
@click.argument("catalog", type=PATH, required=False)
@click.option(
    "--against", metavar="BASE", help="Check too that the version pays for what has changed since."
)
@reports()
def check(style: str, catalog: Path | None, against: str | None) -> None:
    """Validate the catalog and compare what it makes with the files on disk; write nothing."""
    from errgen import pipeline
    from errgen.loaded import load_catalogs

    config = find_config(Path.cwd(), catalog)
    loaded = load_catalogs(config)
    with progress() as tell:
        artifacts = pipeline.together(config, pipeline.generate(config, loaded, tell))
    planned = pipeline.plan_outputs(config, artifacts)
    warnings = [warning for item in loaded for warning in item.warnings]
    owed = pipeline.owed_since(config, against) if against else ()
    if drifted := (*pipeline.drift(config, planned), *owed):
        raise OutputError([*warnings, *drifted])
    show(style, warnings)
    if style == "text":
        click.echo(f"{_counted(len(planned.unchanged), 'file')} up to date")


@main.command()
@click.argument("base")
@click.argument("catalog", type=PATH, required=False)
@reports("markdown")
def diff(style: str, base: str, catalog: Path | None) -> None:
    """Say what has changed since BASE, whom it breaks, and which version the catalog owes.

    BASE is a git revision (a branch, a tag, a commit) or a file. Exit code 1 if the change breaks somebody.
    """
    from errgen import changes, pipeline
    from errgen.changedata import as_json

    found = pipeline.changes_since(find_config(Path.cwd(), catalog), base)
    forms = {"text": changes.text, "json": as_json, "markdown": changes.markdown}
    if style in forms:
        click.echo(forms[style](found), nl=False)
    else:
        show(style, [item for change in found for item in changes.findings(change)])
    sys.exit(any(change.is_breaking for change in found))


@main.command()
@click.argument("catalogs", type=PATH, nargs=-1)
@reports()
def validate(style: str, catalogs: Sequence[Path]) -> None:
    """Validate the catalog, or each of CATALOGS, and look at nothing else."""
    from errgen.loaded import load_catalogs

    configs = [find_config(Path.cwd(), path) for path in catalogs] or [find_config(Path.cwd())]
    findings: list[Diagnostic] = []
    lines = []
    for config in configs:
        try:
            for item in load_catalogs(config):
                findings += item.warnings
                lines.append(
                    f"{item.shown}: {_counted(len(item.catalog.errors), 'error')}, {summary(item.warnings)}"
                )
        except ErrgenError as error:
            findings += error.diagnostics
    if any(item.level == "error" for item in findings):
        raise ErrgenError(findings)
    show(style, findings)
    if style == "text":
        click.echo("\n".join(lines))


@main.command()
@click.argument(
    "paths", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path), metavar="PATH…"
)
@reports()
def audit(style: str, paths: Sequence[Path]) -> None:
    """Look in Python, TypeScript and JavaScript source for errors that are misused, and in catalogs for unused ones.

    A line keeps what it has with a comment `errgen: allow EG905: and why`.
    """
    from errgen import pipeline

    found, files = pipeline.audited(find_config(Path.cwd()), paths)
    if any(item.level == "error" for item in found):
        raise ErrgenError(found)
    show(style, found)
    if style == "text":
        click.echo(f"{_counted(len(files), 'file')} audited")


@main.command()
@reports()
def init(style: str) -> None:
    """Write a starter catalog with its schema, a config and a CI workflow; never overwrite what is there."""
    from errgen.output import create
    from errgen.starter import starter_files

    for file in starter_files(Path.cwd()):
        made = create(Path.cwd(), file)
        if style == "text":
            click.echo(
                f"wrote {file.path}" if made else f"kept {file.path}, which is there already"
            )
    if style == "text":
        click.echo("edit catalog/errors.yaml, then run errgen build")


@main.command()
def schema() -> None:
    """Print the JSON Schema of the catalog format, for editors."""
    from errgen.resources import catalog_schema

    click.echo(catalog_schema(), nl=False)


main.add_command(explain)
main.add_command(new)
main.add_command(retire)
