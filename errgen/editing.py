"""The commands that change a catalog: arguments flow in, its text changes, and what is to do next flows out."""

from pathlib import Path
from typing import Any

import click

from errgen.config import find_config
from errgen.shell import PATH, reports


@click.command()
@click.argument("name")
@click.argument("catalog", type=PATH, required=False)
@click.option(
    "--category", required=True, help="The category of the error, whose ranges have its code."
)
@click.option("--against", metavar="BASE", help="Leave out what BASE has taken, too.")
@click.option(
    "--random", "shuffled", is_flag=True, help="Take any free code, so that branches seldom meet."
)
@reports()
def new(_style: str, name: str, catalog: Path | None, **options: Any) -> None:
    """Add an error called NAME to the catalog, under the next free code of its category."""
    from errgen import authoring

    draft = authoring.new_error(_catalog_path(catalog), name, **options)
    authoring.write(draft)
    click.echo(f"{draft.place}: {draft.name} has code {draft.code}")
    click.echo("write its message; describe it with description, recovery, params and examples")
    for problem in draft.lacking:
        click.echo(f"still to do: {problem}")


@click.command()
@click.argument("name")
@click.argument("catalog", type=PATH, required=False)
@click.option("--reason", required=True, help="Why the error is used no longer.")
@click.option("--replaced-by", metavar="OTHER", help="The error to use instead.")
@reports()
def retire(_style: str, name: str, catalog: Path | None, **options: Any) -> None:
    """Make a reservation of the error NAME, so that its code and its name are never used again."""
    from errgen import authoring

    draft = authoring.retired(_catalog_path(catalog), name, **options)
    authoring.write(draft)
    click.echo(f"{draft.place}: {draft.name} ({draft.code}) is reserved")
    click.echo("raise the version: errgen diff BASE says to which")


def _catalog_path(catalog: Path | None) -> Path:
    """Return the one catalog to change. Raises ConfigError, and UsageError where there are several."""
    config = find_config(Path.cwd(), catalog)
    if len(config.catalogs) > 1:
        raise click.UsageError(
            "name the catalog: " + ", ".join(item.path for item in config.catalogs)
        )
    return config.root / config.catalogs[0].path
