"""Names of files: a catalog flows in, one that is safe on every system flows out for each error and category."""

import hashlib
import re
from collections import Counter
from collections.abc import Mapping
from typing import Final

from errgen.memo import remembered
from errgen.model import Catalog, Code

_PLAIN: Final = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,78}[A-Za-z0-9_-])?")
_UNSAFE: Final = re.compile(r"[^A-Za-z0-9]+")
# Names that Windows keeps for devices, and those that generators of sites take for a folder's own page.
_TAKEN: Final = frozenset(
    """aux con nul prn index readme com0 com1 com2 com3 com4 com5 com6 com7 com8 com9
    lpt0 lpt1 lpt2 lpt3 lpt4 lpt5 lpt6 lpt7 lpt8 lpt9""".split()
)
_LONGEST: Final = 60
_DIGITS: Final = 8


@remembered
def page_names(catalog: Catalog) -> dict[tuple[str, str], str]:
    """Return the name of a file, without an ending, for each error and each category: by the kind and its name.

    An integer is its own name, and so is a text of letters, digits, dots, lines and dashes. Any other text, and one
    that is another's name where case does not count, is what it has of those with eight digits of its hash; with all
    of them where another has these too.
    """
    errors = _named({error.name: error.code for error in catalog.errors})
    categories = _named({category.name: category.name for category in catalog.categories})
    return {
        **{("error", name): file for name, file in errors.items()},
        **{("category", name): file for name, file in categories.items()},
    }


def _named(codes: Mapping[str, Code]) -> dict[str, str]:
    owners = Counter(str(code).lower() for code in codes.values())
    named = {
        name: (
            str(code)
            if not isinstance(code, str) or (_is_plain(code) and owners[code.lower()] == 1)
            else _hashed(code, _DIGITS)
        )
        for name, code in codes.items()
    }
    files = Counter(file.lower() for file in named.values())
    return {
        name: _hashed(code) if isinstance(code, str) and files[named[name].lower()] > 1 else file
        for (name, code), file in zip(codes.items(), named.values(), strict=True)
    }


def _is_plain(code: str) -> bool:
    device = code.lower().partition(".")[0]
    return _PLAIN.fullmatch(code) is not None and device not in _TAKEN


def _hashed(code: str, digits: int | None = None) -> str:
    digest = hashlib.sha256(code.encode("utf-8", "surrogatepass")).hexdigest()[:digits]
    return "-".join(filter(None, (_UNSAFE.sub("-", code)[:_LONGEST].strip("-"), digest)))
