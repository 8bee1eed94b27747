"""Work that is shared among processes comes back as if one had done it."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final

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


_KILLED: Final = """
import os, time
from functools import partial
from errgen.processes import shared

os.sched_getaffinity = lambda _: {0, 1}

def slow(number):
    print(os.getpid(), flush=True)
    time.sleep(number)

list(shared([partial(slow, 0.2), partial(slow, 0.2), partial(slow, 60)]))
"""


def _is_alive(process: int) -> bool:
    with suppress(OSError):
        # What has ended but was not fetched by anyone is a zombie.
        return ") Z " not in Path(f"/proc/{process}/stat").read_text("utf-8")
    return False


@pytest.mark.skipif(sys.platform != "linux", reason="copies are made on Linux alone")
@pytest.mark.parametrize("kill", [signal.SIGKILL, signal.SIGTERM])
def test_copies_end_with_the_process_that_was_copied(kill: signal.Signals) -> None:
    with subprocess.Popen([sys.executable, "-c", _KILLED], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        copies = {int(process.stdout.readline()) for _ in range(3)}
        process.send_signal(kill)
    end = time.monotonic() + 20
    while any(map(_is_alive, copies)) and time.monotonic() < end:
        time.sleep(0.05)
    assert not any(map(_is_alive, copies))


@pytest.mark.parametrize("name", CATALOGS)
def test_shared_rendering_makes_the_same(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    path = CATALOGS[name]
    monkeypatch.setattr(render, "_WORTH_SHARING", 0)
    config = CatalogConfig(path.name, "expected", {}, None, frozenset())
    made = render.render(catalog_of(path), config, [templates_dir()])
    assert {item.path: item.text for item in made} == rendered(path)
