"""The picture of retry policies: a catalog flows in, a row for each attempt, with its place in time, flows out."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final, NamedTuple

from errgen import guidance
from errgen.filters.svg import fitted, lines_of, numbered
from errgen.filters.timeaxis import UNITS, Tick, axis_of
from errgen.memo import remembered
from errgen.model import Catalog, RetryPolicy

# All lengths are tenths of a pixel.
MOST_POLICIES: Final = 24
MOST_ATTEMPTS: Final = 8
LEFT: Final = 2700
RIGHT: Final = 6200
_FONT: Final = 11
_TOP: Final = 720
_ROW: Final = 180
_BETWEEN: Final = 200
_LINE: Final = 160
_NAME: Final = 2000
_TEXT: Final = 7900
_LEAST_BAND: Final = 30
_MOST_NAMES: Final = 40
_MOST_TOLD: Final = 8
_MOST_CHARACTERS: Final = 7


class Attempt(NamedTuple):
    """An attempt: its middle, its number, the earliest and the latest x, and the wait before it.

    A number of 0 stands for the attempts that are left out. Both x are the same where nothing is left to chance.
    """

    y: int
    number: int
    start: int
    end: int
    wait: str


class Block(NamedTuple):
    """A policy: its top, its texts and its attempts."""

    top: int
    name: str
    told: str
    facts: tuple[str, ...]
    attempts: tuple[Attempt, ...]


@dataclass(frozen=True, slots=True)
class Chart:
    """A picture of policies; `bottom` is where the axis ends, `notes` name what has no attempts to show."""

    height: int
    bottom: int
    scale: str
    ticks: tuple[Tick, ...]
    blocks: tuple[Block, ...]
    notes: tuple[tuple[int, str], ...]
    has_chance: bool
    has_fixed: bool
    summary: str


@remembered
def retrychart(catalog: Catalog) -> Chart | None:
    """Return the picture of a catalog's retry policies, or None where none has a second attempt."""
    policies = _capped(catalog)
    repeated = [policy for policy in policies if guidance.waits(policy)]
    drawn = repeated[:MOST_POLICIES]
    if not drawn:
        return None
    times = [ms for policy in drawn for time in _attempts(policy) for ms in time[1:3]]
    axis = axis_of(times, LEFT, RIGHT)
    blocks = []
    top = _TOP
    for policy in drawn:
        block = _block(policy, top, axis.place)
        blocks.append(block)
        top += _height(block) + _BETWEEN
    bottom = top - _BETWEEN
    texts = [line for told in _notes(policies, repeated) for line in told]
    notes = tuple((bottom + 520 + _LINE * index, text) for index, text in enumerate(texts))
    ends = [item for block in blocks for item in block.attempts[1:] if item.number]
    return Chart(
        height=bottom + 440 + (_LINE * len(texts) + 40 if texts else 0),
        bottom=bottom,
        scale=axis.scale,
        ticks=axis.ticks(),
        blocks=tuple(blocks),
        notes=notes,
        has_chance=any(item.start != item.end for item in ends),
        has_fixed=any(item.start == item.end for item in ends),
        summary=_summary(repeated),
    )


def _capped(catalog: Catalog) -> tuple[RetryPolicy, ...]:
    """Return the policies without attempts that no class of operation has."""
    return tuple(
        guidance.capped(catalog.operations, policy, policy.safe_to_retry)
        for policy in catalog.policies
    )


class _Time(NamedTuple):
    """When an attempt is made: its number, the earliest and latest milliseconds, and those of the wait before it."""

    number: int
    earliest: int
    latest: int
    wait: tuple[int, int]


def _attempts(policy: RetryPolicy) -> Iterator[_Time]:
    """Yield the attempts that are shown; number 0 stands for those that are left out before the last."""
    waits = guidance.waits(policy)
    earliest, latest = (accumulate(side) for side in zip(*waits, strict=True))
    times = [_Time(1, 0, 0, (0, 0))]
    times += map(_Time, range(2, len(waits) + 2), earliest, latest, waits)
    if len(times) > MOST_ATTEMPTS:
        times[MOST_ATTEMPTS - 2 : -1] = [_Time(0, 0, 0, (0, 0))]
    yield from times


def _block(policy: RetryPolicy, top: int, place: Callable[[int], int]) -> Block:
    attempts = []
    for index, (number, earliest, latest, wait) in enumerate(_attempts(policy)):
        start, end = place(earliest), place(latest)
        if latest > earliest:
            end = max(end, start + _LEAST_BAND)
        told = _wait(wait) if number > 1 else ""
        attempts.append(Attempt(top + _ROW * index + _ROW // 2, number, start, end, told))
    facts = _facts(policy)
    told = f"{policy.name}, {', '.join(facts)}: {guidance.schedule(policy)}"
    return Block(top, fitted(policy.name, _NAME, _FONT + 1), told, facts, tuple(attempts))


def _height(block: Block) -> int:
    return max(_ROW * len(block.attempts), _LINE * (len(block.facts) + 1))


def _facts(policy: RetryPolicy) -> tuple[str, ...]:
    jitter = "" if policy.jitter == "none" else f", {policy.jitter} jitter"
    facts = [f"{policy.strategy}{jitter}", f"{policy.max_attempts} attempts"]
    if policy.retry_after_ms:
        facts.append(f"waits at least {guidance.duration(policy.retry_after_ms)}")
    if policy.retryable is None:
        facts.append("if the response says so")
    return tuple(fitted(fact, _NAME, _FONT) for fact in facts)


def _wait(wait: tuple[int, int]) -> str:
    shortest, longest = (_short(ms) if ms else "0" for ms in wait)
    return shortest if shortest == longest else f"{shortest} to {longest}"


def _notes(
    policies: Sequence[RetryPolicy], repeated: Sequence[RetryPolicy]
) -> Iterator[tuple[str, ...]]:
    """Yield lines that name what has no attempts to show."""
    rest = [policy for policy in policies if policy not in repeated]
    asked = [policy for policy in rest if policy.retryable is None and policy.max_attempts != 1]
    known = {
        "Never repeated:": [policy for policy in rest if policy.retryable is False],
        "Repeated only as each response says:": asked,
        "Without a second attempt for any class of operation:": [
            policy for policy in rest if policy.retryable is not False and policy not in asked
        ],
        "Not drawn:": repeated[MOST_POLICIES:],
    }
    for told, found in known.items():
        if found:
            names = [policy.name for policy in found[:_MOST_NAMES]]
            more = len(found) - len(names)
            words = [*names, *([f"{numbered(more)} more"] if more else [])]
            yield lines_of([f"{told} {words[0]}", *words[1:]], _TEXT, _FONT)


def _short(ms: int) -> str:
    """Write a time as the table does, or rounded where that is too long to read."""
    exact = guidance.duration(ms)
    return exact if len(exact) <= _MOST_CHARACTERS else _rounded_up(ms)


def _rounded_up(ms: int) -> str:
    size, unit = next((size, unit) for size, unit in UNITS if ms >= size)
    return f"{-(-ms * 10 // size) / 10:g} {unit}"


def _within(ms: int) -> str:
    return f"within {_rounded_up(ms)}" if ms else "without a wait"


def _summary(repeated: Sequence[RetryPolicy]) -> str:
    told = []
    for policy in repeated[:_MOST_TOLD]:
        *_, last = _attempts(policy)
        told.append(f"{policy.name}: {last.number} attempts {_within(last.latest)}")
    more = len(repeated) - len(told)
    return "; ".join([*told, *([f"{numbered(more)} more"] if more else [])])
