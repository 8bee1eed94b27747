"""Findings as data: a code of errgen's own catalog and its parameters flow in, a located diagnostic flows out."""

import os
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

from errgen.codes import DiagnosticCode, spec


@dataclass(frozen=True, slots=True, order=True)
class Location:
    """A place in a file; line and column count characters from 1, and 0 means the file as a whole."""

    path: str
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        """Give the form that editors turn into a link: path:line:column."""
        return f"{self.path}:{self.line}:{self.column}" if self.line else self.path


@dataclass(frozen=True, slots=True, order=True)
class Diagnostic:
    """One finding: where, which rule, what is wrong, and what to write instead."""

    location: Location
    code: DiagnosticCode
    message: str
    help: str
    related: tuple[Location, ...] = ()
    detail: str = ""

    @property
    def level(self) -> str:
        """Return `error`, `warning` or `info`, as catalog/diagnostics.yaml rates the rule."""
        return spec(self.code).severity

    def moved(self, path: str) -> "Diagnostic":
        """Return the same finding with another path of its file."""
        old = self.location.path
        places = [
            replace(place, path=path) if place.path == old else place
            for place in (self.location, *self.related)
        ]
        return replace(self, location=places[0], related=tuple(places[1:]))


class ErrgenError(Exception):
    """A failure that the user can mend; `diagnostics` say where and how, `exit_code` is the command's."""

    exit_code: ClassVar[int] = 1

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        """Keep the findings in order of position."""
        self.diagnostics = tuple(sorted(set(diagnostics)))
        super().__init__("\n".join(f"{item.location}: {item.message}" for item in self.diagnostics))

    def __reduce__(self) -> tuple[Any, ...]:
        """Let it cross from one process to another, where it is made anew."""
        return type(self), (self.diagnostics,)


class CatalogError(ErrgenError):
    """The catalog cannot be read or breaks a rule."""


class ConfigError(ErrgenError):
    """The configuration cannot be used."""

    exit_code = 2


class TemplateError(ErrgenError):
    """A template failed, or what it made is not what its file type asks for."""


class OutputError(ErrgenError):
    """The output tree cannot be written without harming what errgen did not make."""


def finding(
    code: DiagnosticCode,
    location: Location,
    /,
    *,
    help: str = "",  # noqa: A002 - the field's name in every report
    related: Iterable[Location] = (),
    detail: str = "",
    **params: object,
) -> Diagnostic:
    """Word a finding from the message and hint that errgen's own catalog holds for `code`.

    `help` replaces the catalog's general hint where the remedy depends on what was found.
    """
    rule = spec(code)
    return Diagnostic(
        location=location,
        code=code,
        message=rule.message.format_map({name: str(value) for name, value in params.items()}),
        help=help or rule.recovery_hint or "",
        related=tuple(related),
        detail=detail,
    )


def shown_path(path: Path, start: str | None = None) -> str:
    """Return a path as the user would type it here, or in the folder `start`, with `/`."""
    try:
        return Path(os.path.relpath(path, start)).as_posix()
    except ValueError:  # another drive
        return path.as_posix()
