"""The meaning of a catalog, frozen and fully resolved: every reference is already what it refers to."""

from errgen.model.body import BodyType, Branch, Field, Pin, Response
from errgen.model.catalog import Catalog
from errgen.model.codespace import (
    Category,
    Code,
    Extensions,
    Layer,
    Limits,
    Operation,
    Range,
    RetryPolicy,
)
from errgen.model.errors import (
    Deprecation,
    ErrorRef,
    ErrorSpec,
    Example,
    Fill,
    Link,
    Param,
    Reservation,
    Translation,
)

__all__ = [
    "BodyType",
    "Branch",
    "Catalog",
    "Category",
    "Code",
    "Deprecation",
    "ErrorRef",
    "ErrorSpec",
    "Example",
    "Extensions",
    "Field",
    "Fill",
    "Layer",
    "Limits",
    "Link",
    "Operation",
    "Param",
    "Pin",
    "Range",
    "Reservation",
    "Response",
    "RetryPolicy",
    "Translation",
]
