"""What a generated module calls things: a catalog and a language flow in, enums, classes and look-ups flow out."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum
from typing import Final

from errgen.audit.index import Index
from errgen.filters.pycode import ATTRIBUTES, pyfactory
from errgen.filters.tscode import STATIC, tsfactory
from errgen.model import ErrorSpec, Reservation
from errgen.naming import error_type

_FACTORIES: Final = {"python": pyfactory, "typescript": tsfactory}
# What an enum or a class has beside the catalog's names.
_BUILT_IN: Final = {
    "python": frozenset((*dir(IntEnum), *dir(StrEnum), *dir(Exception), *ATTRIBUTES)),
    "typescript": STATIC,
}
_LOOKUPS: Final = {
    "python": frozenset(("spec", "find", "find_by_name", "SPECS", "CatalogError")),
    "typescript": frozenset(("spec", "find", "findByName", "errorSpecs", "CatalogError", "isCode")),
}


@dataclass(frozen=True, slots=True)
class Owner:
    """A generated enum or class: its members lead to errors, those of retired errors to reservations.

    `others` are members that are not about errors, and what the language gives it.
    """

    name: str
    errors: Mapping[str, ErrorSpec] = field(default_factory=dict)
    retired: Mapping[str, Reservation] = field(default_factory=dict)
    others: frozenset[str] = frozenset()

    @property
    def members(self) -> list[str]:
        """Return the members that code should use."""
        errors = [name for name, error in self.errors.items() if not error.deprecated]
        return [*errors, *(name for name in self.others if name.isupper())]


@dataclass(frozen=True, slots=True)
class Names:
    """What a module made of a catalog defines; `lookups` are the names of what takes a code."""

    index: Index
    owners: Mapping[str, Owner]
    lookups: frozenset[str]


def names_of(index: Index, target: str) -> Names:
    """Return the names of what a target makes of a catalog."""
    catalog = index.catalog
    factory = _FACTORIES[target]
    built_in = _BUILT_IN[target]
    tombstones = {item.name: item for item in catalog.reserved if item.name}
    made = {factory(name): item for name, item in tombstones.items()}
    owners = [
        Owner(name, others=built_in | {item.member for item in items})
        for name, items in (
            ("Category", catalog.categories),
            ("RetryPolicyName", catalog.policies),
            ("OperationName", catalog.operations),
        )
    ]
    for layer, errors in catalog.errors_by_layer:
        named = {name: error for error in errors for name in (error.name, *error.aliases)}
        factories = {factory(name): error for name, error in named.items()}
        owners += [
            Owner(layer.enum, named, tombstones, built_in),
            Owner(error_type(layer.name, layer.enum), factories, made, built_in),
        ]
    guards = {f"is{layer.enum}" for layer in catalog.layers}
    return Names(index, {owner.name: owner for owner in owners}, _LOOKUPS[target] | guards)
