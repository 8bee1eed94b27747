"""How grave a change of a field of the body is: the field before and after flows in, the level of the change flows out.

A body has readers, who take what may be sent from now on, and writers, who are compiled against its type. Generated
code writes all that comes of the catalog (`from`, `value`), so that only fields given at run time can break a writer:

| from now on the field | readers | who gives it at run time | level |
| --- | --- | --- | --- |
| is new | ignore it | must give it, unless it may be absent or null | source, else compatible |
| may be absent, may be null | must get along with that | may give less | body |
| is never absent | get more | must give it, unless it may be null | source, else compatible |
| is never null | get less | must not give null | source |
| has a wider type (integer to number, any) | do not know all values | give what they gave | body |
| has a narrower type (number to integer, from any) | know all values | must give less | source |
| has another type, or another source | read something else | give something else | body |
| is gone | miss it | must not give it | body |

An object is given if a field in it is; it is demanded if it is always there and so is a field in it that is given.
"""

from collections.abc import Mapping
from typing import Any

from errgen.levels import BODY, COMPATIBLE, SOURCE, Change, Level


def demanded(change: Change) -> Level:
    """`source` if servers must give the new field; else `compatible`."""
    return SOURCE if _is_demanded(change.new) else COMPATIBLE


def absence(change: Change) -> Level:
    """`body` if the field may be absent from now on; else `source` if servers must give it now, or `compatible`."""
    if change.new:
        return BODY
    old, new = change.owners
    return SOURCE if _is_demanded(new) and not _is_demanded(old) else COMPATIBLE


def nullness(change: Change) -> Level:
    """`body` if the field may be null from now on; else `source` if servers give it, or `compatible`."""
    if change.new:
        return BODY
    return SOURCE if _is_given(change.owners[1]) else COMPATIBLE


def kind_of_value(change: Change) -> Level:
    """`source` if servers may give less than before; else `body`."""
    is_narrower = (change.old, change.new) == ("number", "integer") or change.old == "any"
    return SOURCE if is_narrower and change.new is not None else BODY


def _is_demanded(field: Mapping[str, Any]) -> bool:
    if field["optional"] or field["nullable"]:
        return False
    return "type" in field or any(map(_is_demanded, field.get("fields", {}).values()))


def _is_given(field: Mapping[str, Any]) -> bool:
    return "type" in field or any(map(_is_given, field.get("fields", {}).values()))
