"""Find an error by its code or its name: catalogs and what somebody wrote flow in, what it may mean flows out."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final, NamedTuple, TypeAlias

from errgen import codes
from errgen.model import Catalog, ErrorSpec, Reservation

Catalogs: TypeAlias = Mapping[str, Catalog]

_INTEGER: Final = re.compile(r"[-+]?(?:0x[0-9a-f]{1,40}|[0-9]{1,40})", re.IGNORECASE)
_QUOTES: Final = "\"'`"


class Match(NamedTuple):
    """An error or a reservation, its catalog and the path of that."""

    path: str
    catalog: Catalog
    item: ErrorSpec | Reservation


def cleaned(wanted: str) -> str:
    """Return what somebody wrote without what stands around a code in texts: quotes, and a #."""
    text = wanted.strip()
    while text[1:] and text[0] in _QUOTES and text[-1] == text[0]:
        text = text[1:-1].strip()
    return text.removeprefix("#").strip() or text


def integer(text: str) -> int | None:
    """Return the number that a text writes in decimal or hexadecimal digits, or None."""
    if not _INTEGER.fullmatch(text):
        return None
    return int(text, 16 if "x" in text.lower() else 10)


def folded(text: str) -> str:
    """Return a name as catalogs spell it: UPPER_SNAKE."""
    return re.sub(r"[-\s]+", "_", text).upper()


def found(catalogs: Catalogs, wanted: str) -> tuple[Match, ...]:
    """Return what has a code, a name or an alias, as it is written or else in any spelling; what is reserved last."""
    number = integer(wanted)
    for spell in (str, folded):
        for section in ("errors", "reserved"):
            if known := tuple(_called(catalogs, section, spell, spell(wanted), number)):
                return known
    return tuple(
        Match(path, catalog, item)
        for path, catalog in catalogs.items()
        for item in catalog.reserved
        if _holds(item, wanted, number)
    )


def own(wanted: str) -> codes.ErrorSpec | None:
    """Return the finding of errgen itself that has a code or a name."""
    return codes.find(wanted.upper()) or codes.find_by_name(folded(wanted))


def names(catalogs: Catalogs) -> Iterator[str]:
    """Yield every code, name and alias, and those that are reserved."""
    for catalog in catalogs.values():
        for error in catalog.errors:
            yield from map(str, dict.fromkeys((error.code, error.name, *error.aliases)))
        for item in catalog.reserved:
            yield from (str(part) for part in (item.code, item.name) if part is not None)


def entries(catalog: Catalog) -> Iterator[ErrorSpec | Reservation]:
    """Yield the errors of a catalog, and what it reserves."""
    yield from catalog.errors
    yield from catalog.reserved


def called(item: ErrorSpec | Reservation) -> tuple[str, ...]:
    """Return the texts that find an error or a reservation: a code that is text, its name, its aliases."""
    aliases = item.aliases if isinstance(item, ErrorSpec) else ()
    code = (item.code,) if isinstance(item.code, str) else ()
    return tuple(dict.fromkeys((*code, *filter(None, (item.name,)), *aliases)))


def _called(
    catalogs: Catalogs, section: str, spell: Callable[[str], str], wanted: str, number: int | None
) -> Iterator[Match]:
    for path, catalog in catalogs.items():
        for item in getattr(catalog, section):
            has_number = number is not None and item.code == number
            if has_number or any(spell(text) == wanted for text in called(item)):
                yield Match(path, catalog, item)


def _holds(item: Reservation, wanted: str, number: int | None) -> bool:
    if item.first is not None and item.last is not None:
        return number is not None and item.first <= number <= item.last
    return item.prefix is not None and " " not in wanted and wanted.startswith(item.prefix)
