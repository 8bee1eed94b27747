"""Work that is shared among processes comes back as if one had done it."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from functools import partial

import pytest
from support import CATALOGS, catalog_of, rendered

from errgen import render
from errgen.codes import DiagnosticCode
from errgen.config import CatalogConfig
from errgen.diagnostics import ErrgenError, Location, TemplateError, finding
from errgen.processes import shared
from errgen.resources import templates_dir

_HERE = os.getpid()


@pytest.fixture(autouse=True)
def _two_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1})


def double(number: int) -> tuple[int, bool]:
    return 2 * number, os.getpid() != _HERE


def failing(text: str) -> str:
    if text == "good":
        return text
    raise TemplateError(
        [finding(DiagnosticCode.TEMPLATE_FAILED, Location("t", 3, 1), template=text, problem="bad")]
    )


def dying() -> str:
    if os.getpid() != _HERE:
        os.kill(os.getpid(), signal.SIGKILL)
    return "done here"


def test_results_come_in_order_from_other_processes() -> None:
    work = [partial(double, number) for number in range(10)]
    assert list(shared(work)) == [(2 * number, True) for number in range(10)]


@pytest.mark.parametrize("platform", ["darwin", "win32"])
def test_no_process_is_copied_where_that_is_not_safe(
    monkeypatch: pytest.MonkeyPatch, platform: str
) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    assert list(shared([partial(double, 1), partial(double, 2)])) == [(2, False), (4, False)]


def test_a_single_processor_shares_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0})
    assert list(shared([partial(double, 1), partial(double, 2)])) == [(2, False), (4, False)]


def test_findings_cross_from_one_process_to_another() -> None:
    with pytest.raises(TemplateError) as caught:
        list(shared([partial(failing, text) for text in ("good", "second", "third")]))
    with pytest.raises(ErrgenError) as here:
        failing("second")
    assert caught.value.diagnostics == here.value.diagnostics


def test_what_a_process_that_died_did_not_do_is_done_here() -> None:
    work: list[Callable[[], object]] = [dying, partial(double, 4)]
    assert next(iter(list(shared(work)))) == "done here"


_INTERRUPTED = """\
import os, signal
from errgen.processes import shared

os.sched_getaffinity = lambda _: {0, 1}
os.setpgrp()
# Whoever starts this in the background has it ignore interrupts.
signal.signal(signal.SIGINT, signal.default_int_handler)
here = os.getpid()

def interrupt():
    os.killpg(here, signal.SIGINT)
    return "went on"

try:
    print(list(shared([interrupt, interrupt])))
except KeyboardInterrupt:
    print("stopped")
"""


def test_an_interrupt_stops_the_whole_and_is_told_once() -> None:
    result = subprocess.run(
        [sys.executable, "-c", _INTERRUPTED], capture_output=True, text=True, check=False
    )
    assert (result.stdout, result.stderr) == ("stopped\n", "")


_KILLED = """\
import os, signal
from errgen.processes import shared

os.sched_getaffinity = lambda _: {0, 1}
here = os.getpid()

def kill():
    os.kill(here, signal.SIGKILL)
    return "x" * 10_000_000

list(shared([kill, kill]))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="processes are copied on Linux alone")
def test_copies_of_a_process_that_is_killed_end_too() -> None:
    # Whoever reads to the end waits for all that can still write.
    result = subprocess.run(
        [sys.executable, "-c", _KILLED], capture_output=True, check=False, timeout=60
    )
    assert (result.returncode, result.stderr) == (-signal.SIGKILL, b"")


@pytest.mark.parametrize("name", CATALOGS)
def test_shared_rendering_makes_the_same(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    path = CATALOGS[name]
    monkeypatch.setattr(render, "_WORTH_SHARING", 0)
    config = CatalogConfig(path.name, "expected", {}, None, frozenset())
    made = render.render(catalog_of(path), config, [templates_dir()])
    assert {item.path: item.text for item in made} == rendered(path)
