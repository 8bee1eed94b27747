"""The rules that no schema can say: Facts about a catalog flow in, findings flow out; one function a rule."""

# Importing a module enters its rules into the registry.
from errgen.rules import (
    codes,
    names,
    profiles,
    promises,
    ranges,
    references,
    retries,
    shape,
    text,
    translations,
)
from errgen.rules.facts import Facts
from errgen.rules.registry import RULES, check_rules

__all__ = [
    "RULES",
    "Facts",
    "check_rules",
    "codes",
    "names",
    "profiles",
    "promises",
    "ranges",
    "references",
    "retries",
    "shape",
    "text",
    "translations",
]
