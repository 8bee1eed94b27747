"""Colours: a text and its role flow in, the text as a terminal shows that role flows out."""

import os
from collections.abc import Callable, Mapping
from typing import Any, Final, TextIO

import click

_ROLES: Final[Mapping[str, Mapping[str, Any]]] = {
    "title": {"bold": True},
    "label": {"fg": "cyan"},
    "yes": {"fg": "green", "bold": True},
    "no": {"fg": "red", "bold": True},
    "varies": {"fg": "yellow", "bold": True},
    "warning": {"fg": "yellow"},
}


def has_color(stream: TextIO) -> bool:
    """Tell whether a stream is a terminal whose user has not asked for plain text."""
    return stream.isatty() and "NO_COLOR" not in os.environ


def painter(stream: TextIO) -> Callable[[str, str], str]:
    """Return what gives a text the colours of its role on a stream, and none where it shows none."""
    if not has_color(stream):
        return lambda text, _: text
    return lambda text, role: click.style(text, **_ROLES[role])
