"""The filters of templates: one module a target language, gathered under the names that templates use."""

from typing import Final

from errgen import guidance, wireforms
from errgen.filters import (
    jsonschema,
    markdown,
    pycode,
    pyrows,
    python,
    rangechart,
    retrychart,
    svg,
    tscode,
    tserrors,
    tsheads,
    typescript,
    wireschema,
)
from errgen.filters.text import indented, summary, to_json, wrapped
from errgen.naming import camel, member, pascal, snake, title

FILTERS: Final = {
    "camel": camel,
    "conformance": wireforms.conformance,
    "delays": guidance.delays,
    "indented": indented,
    "json": to_json,
    "keywords": python.keywords,
    "member": member,
    "member_doc": python.member_doc,
    "pascal": pascal,
    "pydoc": python.pydoc,
    "pystr": python.pystr,
    "pytype": python.pytype,
    "pyvalue": python.pyvalue,
    "rangechart": rangechart.rangechart,
    "retrychart": retrychart.retrychart,
    "snake": snake,
    "summary": summary,
    "title_of": title,
    "wrapped": wrapped,
    **jsonschema.FILTERS,
    **markdown.FILTERS,
    **pycode.FILTERS,
    **pyrows.FILTERS,
    **svg.FILTERS,
    **tscode.FILTERS,
    **tserrors.FILTERS,
    **tsheads.FILTERS,
    **typescript.FILTERS,
    **wireschema.FILTERS,
}
TESTS: Final = {"identifier": python.is_identifier}
