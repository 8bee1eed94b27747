"""Makes pages of what the package says of itself: the schema and tables flow in, Markdown flows out."""

from collections.abc import Callable, Mapping
from typing import Final

PARTS: Final[Mapping[str, Callable[[], str]]] = {}
