"""The filters of the Markdown target, under the names that its templates use."""

from collections.abc import Callable
from typing import Any, Final

from errgen import guidance
from errgen.cases import success_of
from errgen.filters.markdown.bodies import mdgiven, mdsample, mdtemplate, mdwire
from errgen.filters.markdown.commonmark import mdblock, mdline
from errgen.filters.markdown.facts import mderrors, mdsections
from errgen.filters.markdown.front import mdbrief, mdfront
from errgen.filters.markdown.index import mdgone, mdlines
from errgen.filters.markdown.page import Page
from errgen.filters.markdown.places import mdform, mdpage, mdpicture
from errgen.filters.markdown.snippets import mdjson, mdmodules
from errgen.filters.markdown.spans import (
    md,
    mdaddress,
    mdcode,
    mdcomment,
    mdfence,
    mdsentence,
    mdtable,
)

FILTERS: Final[dict[str, Callable[..., Any]]] = {
    "capped": lambda policy, operations: guidance.capped(operations, policy, policy.safe_to_retry),
    "duration": guidance.duration,
    "md": md,
    "mdaddress": mdaddress,
    "mdblock": mdblock,
    "mdbrief": mdbrief,
    "mdcell": md,
    "mdcode": mdcode,
    "mdcomment": mdcomment,
    "mderrors": mderrors,
    "mdfence": mdfence,
    "mdform": mdform,
    "mdfront": mdfront,
    "mdgiven": mdgiven,
    "mdgone": mdgone,
    "mdjson": mdjson,
    "mdline": mdline,
    "mdlines": mdlines,
    "mdmodules": mdmodules,
    "mdpage": mdpage,
    "mdpicture": mdpicture,
    "mdsample": mdsample,
    "mdsections": mdsections,
    "mdsentence": mdsentence,
    "mdsuccess": success_of,
    "mdtable": mdtable,
    "mdtemplate": mdtemplate,
    "mdwire": mdwire,
    "recovery": guidance.RECOVERY.get,
    "repeats": guidance.rule,
    "retryword": guidance.retry_word,
    "schedule": guidance.schedule,
}
__all__ = [
    "FILTERS",
    "Page",
    "md",
    "mdblock",
    "mdcode",
    "mdcomment",
    "mdfence",
    "mdline",
    "mdpage",
    "mdtable",
]
