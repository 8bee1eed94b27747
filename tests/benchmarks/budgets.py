"""Inputs and sizes flow in, the rows of budgets flow out, in groups whose commands take turns."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import commands
import peers
from inputs import Sizes
from measuring import Command

NEEDS_PEERS: Final = "needs --peers"
_PEER: Final = "buf generate"
_YAML: Final = "yaml.load(CSafeLoader)"
_CLICK: Final = 'python -c "import click"'
_TIMES: Final = 20_000


@dataclass(frozen=True, slots=True)
class Row:
    """What may cost how many times as much as another command, or as many megabytes where there is none.

    In place of the other command can stand why it cannot run.
    """

    work: str
    limit: float
    other: str
    left: Command
    right: Command | str | None
    of: str = "seconds"

    @property
    def budget(self) -> str:
        """Say the limit."""
        return f"{self.limit:g} {'MB' if self.right is None else f'x {self.other}'}"

    @property
    def commands(self) -> tuple[Command, ...]:
        """Return what has to run."""
        if isinstance(self.right, str):
            return ()
        return (self.left,) if self.right is None else (self.left, self.right)


def groups(inputs: Path, sizes: Sizes, programs: Path | str) -> list[Sequence[Row]]:
    """Return all rows; `programs` is the folder of the peers, or why there is none."""
    return [
        _builds(inputs, sizes, programs),
        _smaller_builds(inputs, sizes, programs),
        _validations(inputs, sizes),
        _growth(inputs, sizes),
        *(
            _imports(inputs, name, count)
            for name, count in (("300", sizes.of_300), ("10000", sizes.of_10000))
        ),
        _raising(inputs),
        _typescript(inputs, sizes),
        _starts(inputs, sizes),
    ]


def _peer(inputs: Path, name: str, programs: Path | str) -> Command | str:
    if isinstance(programs, str):
        return programs
    return peers.generate(programs, inputs / f"peer-{name}")


def _builds(inputs: Path, sizes: Sizes, programs: Path | str) -> Sequence[Row]:
    folder = inputs / "10000"
    codes = f"{sizes.of_10000:,} codes"
    cold = commands.build_cold(folder)
    unchanged = commands.build_unchanged(folder)
    changed = commands.build_changed(folder, inputs / "variants" / "one-changed.yaml")
    click = commands.python("import click", folder)
    return (
        Row(f"build cold, {codes}", 1, _PEER, cold, _peer(inputs, "10000", programs)),
        Row(f"build cold, {codes}", 3, _YAML, cold, commands.yaml_load(folder)),
        Row(f"build cold, {codes}: peak memory", 200, "", cold, None, "megabytes"),
        Row(f"build when nothing changed, {codes}", 2, _CLICK, unchanged, click),
        Row(f"build after one error changed, {codes}", 0.5, "cold", changed, cold),
    )


def _smaller_builds(inputs: Path, sizes: Sizes, programs: Path | str) -> Sequence[Row]:
    middle, small = inputs / "1000", inputs / "300"
    five = commands.python("import black, click, jinja2, jsonschema, yaml", small)
    peer = _peer(inputs, "1000", programs)
    return (
        Row(f"build cold, {sizes.of_1000:,} codes", 0.6, _PEER, commands.build_cold(middle), peer),
        Row(
            f"build cold, {sizes.of_300:,} codes",
            2,
            "importing the five dependencies",
            commands.build_cold(small),
            five,
        ),
    )


def _validations(inputs: Path, sizes: Sizes) -> Sequence[Row]:
    folder = inputs / "10000"
    codes = f"{sizes.of_10000:,} codes"
    clean = commands.errgen(folder, "validate", "errors.yaml")
    load = commands.yaml_load(folder)
    faults = {
        name: commands.errgen(folder, "validate", f"../variants/{name}.yaml", exits=1)
        for name in ("unknown-key", "misspelt-name", "code-used-again")
    }
    diff = commands.errgen(folder, "diff", "../variants/tenth-changed.yaml")
    return (
        Row(f"validate, {codes}", 1.6, _YAML, clean, load),
        Row(f"validate, {codes}: goal of a faster validator", 0.6, _YAML, clean, load),
        Row(f"validate, {codes}: peak memory", 200, "", clean, None, "megabytes"),
        *(
            Row(
                f"validate, a finding in each of {codes}: {name}",
                2,
                "without findings",
                command,
                clean,
            )
            for name, command in faults.items()
        ),
        Row(f"diff, a tenth of {codes} changed", 2.5, "validate", diff, clean),
    )


def _growth(inputs: Path, sizes: Sizes) -> Sequence[Row]:
    more, fewer = inputs / "50000", inputs / "10000"
    pairs = {
        "validate": (commands.errgen(more, "validate"), commands.errgen(fewer, "validate")),
        "build": (commands.build_cold(more), commands.build_cold(fewer)),
    }
    codes, other = f"{sizes.of_50000:,} codes", f"{sizes.of_10000:,} codes"
    return tuple(
        Row(f"growth of {name}, {codes}: {of}", 5.5, other, left, right, of)
        for name, (left, right) in pairs.items()
        for of in ("seconds", "megabytes")
    )


def _imports(inputs: Path, name: str, count: int) -> Sequence[Row]:
    left = commands.import_generated(inputs / name)
    right = commands.import_bare(inputs / f"bare-{name}")
    return (Row(f"import of generated Python, {count:,} codes", 2, "a bare IntEnum", left, right),)


def _raising(inputs: Path) -> Sequence[Row]:
    left, right = (
        commands.raising(inputs / "300", kind, _TIMES) for kind in ("generated", "by-hand")
    )
    return (Row("raising an error and making its body", 5, "by hand", left, right),)


def _typescript(inputs: Path, sizes: Sizes) -> Sequence[Row]:
    left, right = commands.tsc_generated(inputs / "10000"), commands.tsc_empty(inputs / "10000")
    return (Row(f"tsc --strict, {sizes.of_10000:,} codes", 3, "tsc on an empty file", left, right),)


def _starts(inputs: Path, sizes: Sizes) -> Sequence[Row]:
    folder = inputs / "300"
    click = commands.python("import click", folder)
    explain = commands.errgen(folder, "explain", "1002")
    return (
        Row("errgen --help", 2, _CLICK, commands.errgen(folder, "--help"), click),
        Row(f"explain, {sizes.of_300:,} codes", 4, _CLICK, explain, click),
    )
