"""Find errors by words of their texts: catalogs and words flow in, what holds them flows out, best first."""

import re
from collections.abc import Iterator
from typing import Final

from errgen.explain.lookup import Catalogs, Match, entries
from errgen.model import ErrorSpec, Reservation

_WORD: Final = re.compile(r"[^\W_]+")
# Words that tell no error from another, where there are others.
_STOP: Final = frozenset(
    "a an and are as at be by for in is it its not of on or that the this to was with".split()
)
# The shortest word that another may go on from: `expire` in a catalog finds `expired`, and the other way round.
_STEM: Final = 4


def matching(catalogs: Catalogs, wanted: str) -> tuple[Match, ...]:
    """Return what holds all words, or some where nothing holds all; of a misspelt name, some are not enough.

    First comes what holds more of them, then what has them in its name, its message and tags, its title, or its
    description and hint, in this order.
    """
    words = _words(wanted)
    # What is written like a name is one, or the beginning of one, and words like those of another are a mistake.
    is_name = " " not in wanted and len(words) > 1
    words = [word for word in words if word not in _STOP] or words
    ranked = []
    for path, catalog in catalogs.items():
        for item in entries(catalog):
            texts = [frozenset(_words(text)) for text in _texts(item)]
            places = [
                place
                for word in words
                if (place := _place(word, texts, is_name=is_name)) is not None
            ]
            if places:
                ranked.append((-len(places), sum(places), Match(path, catalog, item)))
    most = min((missing for missing, _, _ in ranked), default=0)
    if most == -len(words):
        ranked = [entry for entry in ranked if entry[0] == most]
    elif is_name:
        return ()
    return tuple(match for _, _, match in sorted(ranked, key=lambda entry: entry[:2]))


def _words(text: str) -> list[str]:
    return list(dict.fromkeys(_WORD.findall(text.casefold())))


def _texts(item: ErrorSpec | Reservation) -> Iterator[str]:
    """Yield the texts in which words count, from the one in which they count most."""
    if isinstance(item, Reservation):
        # What has no name keeps room for others, and is no error that anyone could mean.
        yield item.name or ""
        yield item.reason if item.name else ""
        return
    yield " ".join((item.name, str(item.code), *item.aliases))
    said = "".join(part.text for part in item.message_parts if not part.is_param)
    yield " ".join((said, *item.tags))
    yield f"{item.category.title} {item.category.name}"
    yield f"{item.description} {item.recovery_hint}"


def _place(word: str, texts: list[frozenset[str]], *, is_name: bool) -> int | None:
    """Return how far back a word stands: twice the number of its text, and one more for a word that is only like it."""
    for number, text in enumerate(texts):
        if word in text:
            return 2 * number
        if any(other.startswith(word) if is_name else _is_like(word, other) for other in text):
            return 2 * number + 1
    return None


def _is_like(word: str, other: str) -> bool:
    shorter, longer = sorted((word, other), key=len)
    return len(shorter) >= _STEM and longer.startswith(shorter)
