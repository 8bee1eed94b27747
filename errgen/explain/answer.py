"""What `errgen explain` has to say, before it takes a form."""

from typing import NamedTuple

from errgen.diagnostics import Diagnostic
from errgen.explain.facts import Facts


class Answer(NamedTuple):
    """Errors explained in full, or a list of those that may be meant, and what was received.

    `left_out` counts those that the list has no room for, `problem` is the finding where nothing was found.
    """

    wanted: str
    explained: tuple[Facts, ...] = ()
    candidates: tuple[Facts, ...] = ()
    left_out: int = 0
    received: Facts | None = None
    problem: Diagnostic | None = None
