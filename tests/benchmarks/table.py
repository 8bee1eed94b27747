"""Rows of budgets and what was measured flow in, results and one table of them flow out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from budgets import Row
from measuring import Command, Measured

_HEAD = ("work", "budget: at most", "measured", "both sides", "verdict")
_WHOLE = 100  # from here on, three digits need no fraction


@dataclass(frozen=True, slots=True)
class Result:
    """A row with the medians of both sides; without `measured`, the verdict says why."""

    work: str
    budget: str
    limit: float
    unit: str
    sides: tuple[float, ...]
    measured: float | None
    verdict: str


def result(row: Row, measured: Mapping[Command, Measured | str]) -> Result:
    """Return what came of a row."""
    sides = [measured[command] for command in row.commands]
    problems = [side for side in (row.right, *sides) if isinstance(side, str)]
    numbers = [_number(row, side) for side in sides if isinstance(side, Measured)]
    if problems:
        return Result(row.work, row.budget, row.limit, _unit(row), (), None, problems[0])
    ratio = numbers[0] / numbers[1] if row.right else numbers[0]
    verdict = "met" if ratio <= row.limit else f"missed by {_shown(ratio / row.limit)} x"
    return Result(row.work, row.budget, row.limit, _unit(row), tuple(numbers), ratio, verdict)


def _shown(number: float) -> str:
    return f"{number:,.0f}" if number >= _WHOLE else f"{number:.3g}"


def _unit(row: Row) -> str:
    return "s" if row.of == "seconds" else "MB"


def _number(row: Row, found: Measured) -> float:
    return found.seconds if row.of == "seconds" else found.megabytes


def table(results: Sequence[Result]) -> str:
    """Return one Markdown table, aligned."""
    rows = [_HEAD, *(_cells(item) for item in results)]
    widths = [max(len(row[index]) for row in rows) for index in range(len(_HEAD))]
    rows.insert(1, tuple("-" * width for width in widths))
    return "\n".join(
        f"| {' | '.join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))} |"
        for row in rows
    )


def _cells(item: Result) -> tuple[str, ...]:
    unit = "x" if len(item.sides) > 1 else item.unit
    measured = "-" if item.measured is None else f"{_shown(item.measured)} {unit}"
    sides = " / ".join(_shown(side) for side in item.sides)
    return item.work, item.budget, measured, f"{sides} {item.unit}" if sides else "-", item.verdict
