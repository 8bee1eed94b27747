"""What a template's failure means: an exception flows in, a finding with its place and a remedy flows out."""

import re
import traceback
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Final

import jinja2

from errgen.codes import DiagnosticCode as Code
from errgen.diagnostics import Location, TemplateError, finding, shown_path
from errgen.words import closest

_QUOTED: Final = re.compile(r"'([^'\n]+)'")
_EXPRESSION: Final = re.compile(r"\{[{%]-?\s*(\S)")
_NAME: Final = r"'([^']+)'"
# What names something that does not exist, and what kind of thing that is.
_UNKNOWN: Final = {
    "variable": re.compile(rf"{_NAME} is undefined"),
    "filter": re.compile(rf"No filter named {_NAME}"),
    "test": re.compile(rf"No test named {_NAME}"),
}


class Undefined(jinja2.StrictUndefined):
    """What a template asks for and does not exist; it fails with the name that was probably meant."""

    @property
    def _undefined_message(self) -> str:
        owner, name = self._undefined_obj, self._undefined_name
        text = super()._undefined_message
        if self._undefined_hint or not isinstance(name, str) or owner is jinja2.utils.missing:
            return text
        near = closest(name, tuple(_attributes(owner)))
        return f"{_class(owner)} has no attribute '{name}'{near and f'; {near}'}"


def failure(
    template: str, problem: str, place: Location | None = None, remedy: str = ""
) -> TemplateError:
    """Return what is wrong with a template as an error."""
    where = place or Location(f"templates/{template}")
    found = finding(Code.TEMPLATE_FAILED, where, template=template, problem=problem, help=remedy)
    return TemplateError([found])


def failed(
    template: str,
    error: Exception,
    environment: jinja2.Environment,
    variables: Collection[str],
) -> TemplateError:
    """Return what an exception says of the template in which it was raised; `variables` are those of its context."""
    if isinstance(error, jinja2.TemplateSyntaxError):
        file, line, problem = error.filename, error.lineno, error.message or ""
    else:
        (file, line), problem = _where(error), f"{type(error).__name__}: {error}"
    problem, _, near = problem.partition("; did you mean ")
    known = {
        "variable": {*variables, *environment.globals},
        "filter": environment.filters,
        "test": environment.tests,
    }
    remedy = f"did you mean {near}" if near else _meant(problem, known)
    if file is None:
        return failure(template, problem, remedy=remedy)
    column = _column(Path(file), line, problem) if line else 0
    return failure(template, problem, Location(shown_path(Path(file)), line, column), remedy)


def _meant(problem: str, known: Mapping[str, Collection[str]]) -> str:
    for kind, pattern in _UNKNOWN.items():
        if found := pattern.search(problem):
            return closest(found[1], tuple(known[kind]))
    return ""


def _column(file: Path, line: int, problem: str) -> int:
    """Return where in its line the mistake is: at the last name that the problem has, or at the first expression."""
    try:
        text = file.read_text("utf-8").splitlines()[line - 1]
    except (OSError, ValueError, IndexError):
        return 1
    for name in reversed(_QUOTED.findall(problem)):
        if found := re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text):
            return found.start() + 1
    first = _EXPRESSION.search(text)
    return first.start(1) + 1 if first else 1


def _where(error: BaseException) -> tuple[str | None, int]:
    """Return the file and line of the innermost template that an error passed through."""
    place: tuple[str | None, int] = (None, 0)
    for frame, line in traceback.walk_tb(error.__traceback__):
        # Jinja puts a frame of this kind where a template's own code was.
        if "__jinja_exception__" in frame.f_globals:
            place = (frame.f_code.co_filename, line)
    return place


def _attributes(owner: object) -> Iterator[str]:
    if isinstance(owner, Mapping):
        yield from (key for key in owner if isinstance(key, str))
    else:
        yield from (name for name in dir(type(owner)) if not name.startswith("_"))


def _class(owner: object) -> str:
    return "None" if owner is None else type(owner).__name__
