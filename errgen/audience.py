"""Leave out what only the owner may read: a catalog flows in, the catalog as strangers may know it flows out."""

import re
from collections.abc import Mapping
from dataclasses import replace

from errgen.model import Catalog, ErrorRef, ErrorSpec, Link, Translation
from errgen.naming import camel, snake


def public(catalog: Catalog) -> Catalog:
    """Return the catalog without internal errors, and without what errors say to logs alone.

    What refers to an internal error refers to the one that conceals it, or to nothing.
    """
    hidden = {error.name: error.conceal_as for error in catalog.errors if error.is_internal}
    errors = tuple(_error(error, hidden) for error in catalog.errors if not error.is_internal)
    internal = [error for error in catalog.errors if error.is_internal]
    return replace(
        catalog,
        errors=errors,
        ranges=tuple(
            replace(item, used=item.used - sum(map(item.holds, (error.code for error in internal))))
            for item in catalog.ranges
        ),
        translations=tuple(_translation(item, hidden) for item in catalog.translations),
        reserved=tuple(
            (
                replace(item, replaced_by=_shown(item.replaced_by, hidden))
                if item.replaced_by
                else item
            )
            for item in catalog.reserved
        ),
    )


def leaks(catalog: Catalog, text: str) -> tuple[str, ...]:
    """Return the names of internal errors, however they are spelled, that a text for strangers has all the same."""
    names = [
        spell(name)
        for error in catalog.errors
        if error.is_internal
        for name in (error.name, *error.aliases)
        for spell in (str, snake, camel, _capitalised)
    ]
    return tuple(name for name in dict.fromkeys(names) if re.search(rf"(?<!\w){name}(?!\w)", text))


def _capitalised(name: str) -> str:
    return camel(name)[:1].upper() + camel(name)[1:]


def _shown(ref: ErrorRef | None, hidden: Mapping[str, ErrorRef | None]) -> ErrorRef | None:
    return hidden[ref.name] if ref and ref.name in hidden else ref


def _error(error: ErrorSpec, hidden: Mapping[str, ErrorRef | None]) -> ErrorSpec:
    deprecated = error.deprecated
    return replace(
        error,
        log_message="",
        private_params=(),
        deprecated=deprecated
        and replace(deprecated, replaced_by=_shown(deprecated.replaced_by, hidden)),
        see_also=tuple(link for link in error.see_also if not _is_hidden(link, hidden)),
    )


def _is_hidden(link: Link, hidden: Mapping[str, ErrorRef | None]) -> bool:
    return link.error is not None and link.error.name in hidden


def _translation(item: Translation, hidden: Mapping[str, ErrorRef | None]) -> Translation:
    # A key that leads to what is hidden would tell that it is; the default says the same as any other key.
    entries = tuple((key, ref) for key, ref in item.entries if ref.name not in hidden)
    return replace(
        item,
        entries=entries,
        default=_shown(item.default, hidden) or item.default,
        params=tuple(param for param in item.params if not param.is_private),
        fills=tuple(fill for fill in item.fills if not fill.is_private),
    )
