"""The filters of the Markdown target, under the names that its templates use."""

from collections.abc import Callable
from typing import Any, Final

from errgen import guidance
from errgen.filters.markdown.bodies import mdbody, mdmessage, mdsample, mdsuccess, mdtemplate
from errgen.filters.markdown.commonmark import mdblock, mdline
from errgen.filters.markdown.facts import mdfacts, mdrepeats, mdrows
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
    "duration": guidance.duration,
    "md": md,
    "mdaddress": mdaddress,
    "mdblock": mdblock,
    "mdbody": mdbody,
    "mdcell": md,
    "mdcode": mdcode,
    "mdcomment": mdcomment,
    "mdfacts": mdfacts,
    "mdfence": mdfence,
    "mdline": mdline,
    "mdmessage": mdmessage,
    "mdpage": mdpage,
    "mdrepeats": mdrepeats,
    "mdrows": mdrows,
    "mdsample": mdsample,
    "mdsentence": mdsentence,
    "mdsuccess": mdsuccess,
    "mdtable": mdtable,
    "mdtemplate": mdtemplate,
    "recovery": guidance.RECOVERY.get,
    "safety": guidance.SAFETY.get,
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
