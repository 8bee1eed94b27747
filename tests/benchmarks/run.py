"""Measure what errgen costs against its budgets, as ratios of commands that run in turn; print one table.

    python tests/benchmarks/run.py --peers
    python tests/benchmarks/run.py --only validate --runs 3

`--size` stands for the 10,000 codes of the budgets, and the other sizes follow. Trust the ratios, not the seconds.
"""

import argparse
import compileall
import dataclasses
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from budgets import NEEDS_PEERS, Row, groups
from inputs import sizes
from measuring import ROOT, MeasuringError, in_turn
from peers import install
from table import Result, result, table


def main() -> None:
    """Read the arguments, measure and print."""
    options = _options()
    compileall.compile_dir(ROOT / "errgen", quiet=2)
    with tempfile.TemporaryDirectory() as folder:
        results = _results(options, Path(folder))
    if options.json:
        shown = json.dumps([dataclasses.asdict(item) for item in results], indent=2)
    else:
        shown = table(results)
    sys.stdout.write(f"{shown}\n")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--runs", type=int, default=5, help="runs of each command (%(default)s)")
    parser.add_argument("--size", type=int, default=10_000, help="number of codes (%(default)s)")
    parser.add_argument("--timeout", type=float, default=300, help="seconds a run (%(default)s)")
    parser.add_argument("--only", default="", metavar="WORD", help="rows that hold the word")
    parser.add_argument("--peers", action="store_true", help="install peers with npm, and compare")
    parser.add_argument("--json", action="store_true", help="print JSON")
    return parser.parse_args()


def _results(options: argparse.Namespace, folder: Path) -> list[Result]:
    inputs = Path(__file__).with_name("inputs.py")
    subprocess.run([sys.executable, inputs, folder, str(options.size)], check=True)
    results = []
    for rows in groups(folder, sizes(options.size), _programs(options, folder)):
        wanted = [row for row in rows if options.only.casefold() in _searched(row)]
        commands = dict.fromkeys(command for row in wanted for command in row.commands)
        measured = in_turn(tuple(commands), options.runs, options.timeout)
        results += [result(row, measured) for row in wanted]
    return results


def _searched(row: Row) -> str:
    return f"{row.work} {row.budget}".casefold()


def _programs(options: argparse.Namespace, folder: Path) -> Path | str:
    if not options.peers:
        return NEEDS_PEERS
    try:
        return install(folder / "peers", options.timeout)
    except MeasuringError as error:
        return str(error)


if __name__ == "__main__":
    main()
