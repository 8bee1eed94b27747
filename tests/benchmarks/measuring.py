"""Commands flow in and run as whole processes, in turn; medians of their time and memory flow out."""

import os
import signal
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import IO, Any, Final

ROOT: Final = Path(__file__).parents[2]
_MAX_GIST: Final = 100
_MEGABYTE: Final = 2**20
_MAXRSS: Final = 1 if sys.platform == "darwin" else 1024
_FOREIGN: Final = ("PYTHONDONTWRITEBYTECODE", "NODE_OPTIONS", "GITHUB_WORKSPACE", "CI_PROJECT_DIR")


class MeasuringError(Exception):
    """A command failed, or took too long; the text says which of both."""


@dataclass(frozen=True, slots=True)
class Command:
    """What to run where: `prepare` goes before without being measured, `exits` is the code that is no failure.

    A command that `times` itself prints the seconds of the part of it that counts.
    """

    argv: tuple[str, ...]
    folder: Path
    prepare: Callable[[], None] | None = None
    exits: int = 0
    times: bool = False


@dataclass(frozen=True, slots=True)
class Measured:
    """Seconds by the clock, and the peak of memory of the largest process in megabytes."""

    seconds: float
    megabytes: float


def in_turn(
    commands: Sequence[Command], runs: int, timeout: float
) -> dict[Command, Measured | str]:
    """Run all commands, then all again, and return the medians of each, or why it has none."""
    samples: dict[Command, list[Measured]] = {command: [] for command in commands}
    problems: dict[Command, str] = {}
    for _ in range(runs):
        for command in commands:
            if command not in problems:
                try:
                    samples[command].append(run(command, timeout))
                except (MeasuringError, OSError) as error:
                    problems[command] = str(error)
                _tell(command, problems.get(command) or f"{samples[command][-1].seconds:.3f} s")
    return {
        command: problems[command] if command in problems else _median(found)
        for command, found in samples.items()
    }


def _tell(command: Command, text: str) -> None:
    """Say on standard error what just ran, as all of it can take an hour."""
    program, *arguments = command.argv
    shown = " ".join([Path(program).name, *arguments]).splitlines()[0]
    sys.stderr.write(f"{command.folder.name}: {shown}: {text}\n")


def _median(samples: Sequence[Measured]) -> Measured:
    return Measured(
        median(item.seconds for item in samples), median(item.megabytes for item in samples)
    )


def run(command: Command, timeout: float) -> Measured:
    """Run a command once. Raises MeasuringError, and OSError where it cannot start."""
    if command.prepare is not None:
        command.prepare()
    with tempfile.TemporaryFile() as output:
        begin = time.perf_counter()
        status, usage = _waited(command, output, timeout)
        seconds = time.perf_counter() - begin
        output.seek(0)
        said = output.read().decode("utf-8", "replace").strip()
    if status == -signal.SIGKILL and seconds >= timeout:
        problem = f"timed out after {timeout:g} s"
        raise MeasuringError(problem)
    if status != command.exits:
        problem = f"failed with {status}: {_gist(said)}"
        raise MeasuringError(problem)
    return Measured(
        float(said) if command.times else seconds, usage.ru_maxrss * _MAXRSS / _MEGABYTE
    )


def _gist(said: str) -> str:
    """Return the line that names the failure: the last one of a traceback, else the first."""
    first, *rest = said.splitlines() or [""]
    line = rest[-1] if rest and first.startswith("Traceback") else first
    return textwrap.shorten(line, _MAX_GIST, placeholder=" ...")


def _waited(command: Command, output: IO[bytes], timeout: float) -> tuple[int, Any]:
    """Run a process and all that it starts until the first ends; return its exit code and what it used."""
    process = subprocess.Popen(
        command.argv,
        cwd=command.folder,
        env=_environment(command.folder),
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    timer = threading.Timer(timeout, os.killpg, (process.pid, signal.SIGKILL))
    timer.start()
    try:
        _, status, usage = os.wait4(process.pid, 0)
    except BaseException:
        os.killpg(process.pid, signal.SIGKILL)
        raise
    finally:
        timer.cancel()
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, usage


def _environment(folder: Path) -> dict[str, str]:
    """Return what the commands see: this errgen, and caches where they can be thrown away."""
    kept = {name: value for name, value in os.environ.items() if name not in _FOREIGN}
    return kept | {
        "PYTHONPATH": str(ROOT),
        "XDG_CACHE_HOME": str(folder / ".cache"),
        "NO_COLOR": "1",
    }
