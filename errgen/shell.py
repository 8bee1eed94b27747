"""What all commands share: options, findings on the right stream, exit codes."""

import functools
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import click

from errgen.diagnostics import Diagnostic, ErrgenError, shown_path
from errgen.report import REPORTERS, summary, text

PATH = click.Path(path_type=Path)
# Seconds until a command that is still at work shows how far it is.
_PATIENCE: Final = 1.0


def reports(*more: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Add --format to a command, with more forms of its own, and turn what it raises into findings and an exit code."""

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        @click.option(
            "--format",
            "style",
            type=click.Choice((*REPORTERS, *more)),
            default="text",
            help="Form of the findings.",
        )
        @functools.wraps(command)
        def run(style: str, **arguments: Any) -> None:
            try:
                command(style, **arguments)
            except ErrgenError as error:
                show(style if style in REPORTERS else "text", error.diagnostics)
                sys.exit(error.exit_code)
            except OSError as error:
                place = f"{error.filename}: " if error.filename else ""
                click.echo(f"errgen: {place}{error.strerror or error}", err=True)
                sys.exit(2)

        return run

    return decorate


def show(style: str, findings: Sequence[Diagnostic]) -> None:
    """Print findings where their form belongs: text beside the output, the others as the output."""
    if style == "text":
        told = text(findings, color=_has_color(), lines_of=functools.cache(_lines_of))
        click.echo(told, nl=False, err=True, color=_has_color())
        if findings:
            click.echo(summary(findings), err=True)
    else:
        click.echo(
            REPORTERS[style](findings if style == "json" else _in_workspace(findings)), nl=False
        )


def _lines_of(path: str) -> Sequence[str]:
    """Return the lines of a file as YAML counts them, or none where it cannot be read."""
    from errgen.source import lines_of

    return lines_of(Path(path))


def _in_workspace(findings: Sequence[Diagnostic]) -> list[Diagnostic]:
    """Return findings with paths as CI systems want them: relative to the folder that they checked out."""
    root = next(filter(None, map(os.environ.get, ("GITHUB_WORKSPACE", "CI_PROJECT_DIR"))), None)
    return [item.moved(shown_path(Path(item.location.path), root)) for item in findings]


def _has_color() -> bool:
    return sys.stderr.isatty() and "NO_COLOR" not in os.environ


@contextmanager
def progress() -> Iterator[Callable[[int, int], None]]:
    """Take how many steps are done, of how many; show it on a terminal alone, and once the work outlasts a second."""
    begin = time.monotonic()
    bar: Any = None

    def tell(done: int, steps: int) -> None:
        nonlocal bar
        if not sys.stderr.isatty() or time.monotonic() - begin < _PATIENCE:
            return
        if bar is None:
            bar = click.progressbar(length=steps, label="errgen", show_eta=False, file=sys.stderr)
            bar.__enter__()
        bar.update(done - bar.pos)

    try:
        yield tell
    finally:
        if bar is not None:
            bar.__exit__(None, None, None)
