"""The command that explains errors: arguments or standard input flow in, an answer and an exit code flow out."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from errgen.config import find_config
from errgen.diagnostics import ErrgenError
from errgen.shell import PATH, answers
from errgen.styling import painter

if TYPE_CHECKING:
    from errgen.explain import Answer
    from errgen.model import Catalog

_INPUT = "-"


def _complete(_context: Any, _param: Any, incomplete: str) -> list[str]:
    """Return the codes and names that begin as what is typed does."""
    from errgen.explain.lookup import names

    try:
        found = names(_catalogs(None))
    except (ErrgenError, OSError):
        return []
    return [name for name in found if name.startswith((incomplete, incomplete.upper()))]


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("wanted", type=click.UNPROCESSED, nargs=-1, required=True, shell_complete=_complete)
@click.option("--catalog", type=PATH, metavar="PATH", help="Look in this catalog alone.")
@answers("json", "markdown")
def explain(style: str, wanted: tuple[str, ...], catalog: Path | None) -> None:
    """Say of an error what has happened, whether to try again, and what to do.

    WANTED is a code (2002, 0x7d2, -32602), a name in any spelling, an alias, a retired code or name, a finding of
    errgen (EG203), or words of an error's texts (rate limit). If several errors have the words, they are listed.

    With - in its place, what was received is read from standard input: the body of an error, a JSON-RPC response, the
    result of an MCP tool, problem details, or a line of a log. What in it differs from the catalog is told.
    """
    from errgen.explain import in_form

    answer = _answer(" ".join(wanted), catalog)
    click.echo(in_form(answer, style, painter(sys.stdout)), nl=False)
    if answer.problem:
        raise ErrgenError([answer.problem])


def _answer(wanted: str, catalog: Path | None) -> "Answer":
    from errgen.explain import explain as explained
    from errgen.explain import explain_own, explain_received

    try:
        catalogs = _catalogs(catalog)
    except ErrgenError:
        # What a finding means is asked for while there is one.
        if own := explain_own(wanted):
            return own
        raise
    if wanted != _INPUT:
        return explained(catalogs, wanted)
    from errgen.explain.received import MAX_BYTES  # and what reads JSON

    return explain_received(catalogs, sys.stdin.buffer.read(MAX_BYTES + 1))


def _catalogs(catalog: Path | None) -> "dict[str, Catalog]":
    from errgen.loaded import load_catalogs

    config = find_config(Path.cwd(), catalog)
    return {item.shown: item.catalog for item in load_catalogs(config)}
