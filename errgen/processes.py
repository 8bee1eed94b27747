"""Share pure work among processors: functions flow in, what they return flows out, in their order."""

import itertools
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

T = TypeVar("T")


def shared(work: Sequence[Callable[[], T]]) -> Iterator[T]:
    """Yield what functions return, worked out by copies of this process where the system has a safe way to make them.

    Raises what they raise, of several the first. Only what they return comes back, nothing that they change.
    """
    processors = len(os.sched_getaffinity(0)) if sys.platform == "linux" else 1
    if min(processors, len(work)) > 1:
        yield from _by_copies(work, processors)
    else:
        yield from (function() for function in work)


def _by_copies(work: Sequence[Callable[[], T]], processors: int) -> Iterator[T]:
    import gc
    from multiprocessing import connection, get_context

    context = get_context("fork")
    waiting = iter(range(len(work)))
    # Of each copy at work: what it answers through, which function it calls, and its process.
    running: dict[Any, tuple[int, Any]] = {}
    answers: dict[int, tuple[Any, BaseException | None]] = {}

    def start(index: int) -> None:
        mine, theirs = context.Pipe(duplex=False)
        process = context.Process(target=_answer, args=(work[index], mine, theirs), daemon=True)
        with _uninterrupted():
            process.start()
        theirs.close()
        running[mine] = index, process

    # A collector that looked at what is there now would copy its memory.
    gc.freeze()
    try:
        for index in itertools.islice(waiting, processors):
            start(index)
        for index in range(len(work)):
            while index not in answers:
                for ready in connection.wait(list(running)):
                    done, process = running.pop(ready)
                    answers[done] = _received(ready, work[done])
                    process.join()
                    for following in itertools.islice(waiting, 1):
                        start(following)
            made, error = answers.pop(index)
            if error is not None:
                raise error
            yield made
    finally:
        for _, process in running.values():
            process.kill()
            process.join()
        gc.unfreeze()


def _answer(function: Callable[[], object], read_end: Any, pipe: Any) -> None:
    # While somebody could read, an answer to a process that was killed would wait for it.
    read_end.close()
    # Who presses Ctrl+C means all of them, and the first process speaks for all.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, (signal.SIGINT,))
    answer: tuple[object, BaseException | None]
    try:
        answer = function(), None
    except Exception as error:  # noqa: BLE001 - it is raised where the answer is read
        answer = None, error
    # There may be nobody left to read it.
    with suppress(BrokenPipeError):
        pipe.send(answer)


def _received(pipe: Any, function: Callable[[], object]) -> tuple[Any, BaseException | None]:
    """Return what a copy answers; one that died may have had too little memory, which one process alone has."""
    try:
        answer: tuple[Any, BaseException | None] = pipe.recv()
    except EOFError:
        return function(), None
    return answer


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Keep an interrupt back until a copy of this process has learnt what to do with one."""
    signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT,))
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, (signal.SIGINT,))
