"""An axis of time: the times to be shown flow in, places and ticks flow out."""

import math
from bisect import bisect_right
from collections.abc import Iterator
from typing import Final, NamedTuple

from errgen.filters.svg import width
from errgen.guidance import duration

_SECOND: Final = 1000
_MINUTE: Final = 60_000
_HOUR: Final = 3_600_000
# Powers that people know as times.
_POWERS: Final = (
    *(1, 10, 100, _SECOND, 10 * _SECOND, _MINUTE, 10 * _MINUTE),
    *(_HOUR * 10**power for power in range(13)),
)
_STEPS: Final = (
    *(size * 10**power for power in range(3) for size in (1, 2, 5)),
    *(_SECOND * size for size in (1, 2, 5, 10, 20, 30)),
    *(_MINUTE * size for size in (1, 2, 5, 10, 20, 30)),
    *(_HOUR * size * 10**power for power in range(13) for size in (1, 2, 5)),
)
# Times further apart than this need a scale of powers.
_LINEAR: Final = 40
UNITS: Final = ((_HOUR, "h"), (_MINUTE, "min"), (_SECOND, "s"), (1, "ms"))
_TICKS: Final = 7
_FONT: Final = 11
_BETWEEN: Final = 30


class Tick(NamedTuple):
    """A line of the axis; the text is empty where it would touch the one before."""

    x: int
    text: str


class Axis(NamedTuple):
    """A piece of the page for the times up to `longest`: linear, or by powers from `shortest` on."""

    left: int
    right: int
    shortest: int
    longest: int
    is_linear: bool

    def place(self, ms: int) -> int:
        """Return the x of a time, in tenths of a pixel."""
        size = self.right - self.left
        if self.is_linear:
            return self.left + size * ms // self.longest
        unit = size / (1 + math.log10(self.longest / self.shortest))
        if ms <= self.shortest:
            return self.left + round(unit * ms / self.shortest)
        return self.left + round(unit * (1 + math.log10(ms / self.shortest)))

    @property
    def scale(self) -> str:
        """Say how times are laid out."""
        return "" if self.is_linear else ", on a logarithmic scale"

    def ticks(self) -> tuple[Tick, ...]:
        """Return the lines of the axis, from zero on."""
        ticks, end = [], 0
        for ms, text in self._times():
            x = self.place(ms)
            half = width(text, _FONT) // 2
            fits = x - half >= end
            ticks.append(Tick(x, text if fits else ""))
            end = x + half + _BETWEEN if fits else end
        return tuple(ticks)

    def _times(self) -> Iterator[tuple[int, str]]:
        yield 0, "0"
        if not self.is_linear:
            yield from ((ms, duration(ms)) for ms in _POWERS if self.shortest <= ms <= self.longest)
            return
        step = next(step for step in _STEPS if self.longest // step <= _TICKS)
        # All in one unit, so that they are read as one row.
        size, unit = next(
            (size, unit) for size, unit in UNITS if size <= self.longest and step * 10 % size == 0
        )
        yield from ((ms, f"{ms / size:g} {unit}") for ms in range(step, self.longest + 1, step))


def axis_of(times: list[int], left: int, right: int) -> Axis:
    """Return the axis on which some times, of which one may be zero, can be told apart."""
    longest, shortest = max((1, *times)), min((time for time in times if time), default=1)
    power = _POWERS[bisect_right(_POWERS, shortest) - 1]
    return Axis(left, right, power, longest, longest <= shortest * _LINEAR)
