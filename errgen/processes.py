"""Share pure work among processors: functions flow in, what they return flows out, in their order."""

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

T = TypeVar("T")

# Copies of this process have what it has, so that nothing needs to be sent to them.
_shared: Sequence[Callable[[], Any]] = ()


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
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool

    global _shared  # noqa: PLW0603 - the copies find it there
    _shared = work
    # A collector that looked at what is there now would copy its memory.
    gc.freeze()
    left = iter(work)
    try:
        with ProcessPoolExecutor(
            processors, multiprocessing.get_context("fork"), _end_with_parent
        ) as pool:
            for made in pool.map(_do, range(len(work))):
                next(left)
                yield made
    except BrokenProcessPool:
        # The system may have had no memory for two; one after the other needs less.
        yield from (function() for function in left)
    finally:
        gc.unfreeze()
        _shared = ()


def _end_with_parent() -> None:
    """See to it that a copy ends too where the process that it was made of is killed; it would wait forever."""
    from multiprocessing import parent_process
    from threading import Thread

    parent = parent_process()

    def wait() -> None:
        if parent is not None:
            parent.join()
        os._exit(1)

    Thread(target=wait, daemon=True).start()


def _do(index: int) -> Any:
    return _shared[index]()
