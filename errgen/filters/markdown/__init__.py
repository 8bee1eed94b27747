"""The filters of the Markdown target, under the names that its templates use."""

from collections.abc import Callable
from typing import Any, Final

from errgen import guidance
from errgen.cases import success_of
from errgen.filters.markdown.bodies import mdsample, mdtemplate, mdwire
from errgen.filters.markdown.commonmark import mdblock, mdline
from errgen.filters.markdown.facts import mdfacts, mdrows
from errgen.filters.markdown.page import Page, mdpage
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
    "advice": guidance.advice,
    "duration": guidance.duration,
    "md": md,
    "mdaddress": mdaddress,
    "mdblock": mdblock,
    "mdcell": md,
    "mdcode": mdcode,
    "mdcomment": mdcomment,
    "mdfacts": mdfacts,
    "mdfence": mdfence,
    "mdline": mdline,
    "mdpage": mdpage,
    "mdrows": mdrows,
    "mdsample": mdsample,
    "mdsentence": mdsentence,
    "mdsuccess": success_of,
    "mdtable": mdtable,
    "mdtemplate": mdtemplate,
    "mdwire": mdwire,
    "recovery": guidance.RECOVERY.get,
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
