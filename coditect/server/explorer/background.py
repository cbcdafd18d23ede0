"""Long work that a page asks for: made once behind the page, which says how far it is and comes again."""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from threading import Event, Lock
from typing import Generic, TypeVar

from coditect.errors import CoditectError
from coditect.knowledge.progress import Progress

__all__ = ["BackgroundMaker", "MadeThing"]

MOST_WORKS = 16
"""Works that are kept, finished or not; a further one waits until one of them is finished and old."""

T = TypeVar("T")

log = logging.getLogger(__name__)


@dataclass
class MadeThing(Generic[T]):
    """Something that is being made.

    Attributes:
        done: parts of it that are done.
        total: parts that there are; 0 where it is not known yet.
        result: what was made; None until then.
        error: why it could not be made.
    """

    done: int = 0
    total: int = 0
    result: T | None = None
    error: CoditectError | None = None
    _ended: Event = field(default_factory=Event, repr=False)

    def wait(self, seconds: float) -> None:
        """Wait until there is a result or an error, at most so long: what is made quickly needs no page that comes again."""
        self._ended.wait(seconds)

    @property
    def is_finished(self) -> bool:
        """Whether there is a result, or an error."""
        return self.result is not None or self.error is not None


class BackgroundMaker(Generic[T]):
    """Makes things one after another in a thread of its own, each once. Safe for threads.

    The thread begins with the first work, and does not keep the process alive for long: what is being made is finished, and what
    waits is given up.
    """

    def __init__(self) -> None:
        self._works: OrderedDict[Hashable, MadeThing[T]] = OrderedDict()
        self._lock = Lock()
        self._executor: ThreadPoolExecutor | None = None

    def get(self, key: Hashable, make: Callable[[Progress], T]) -> MadeThing[T]:
        """The work of a key; it is begun where it is not known. Any error is told once, and then it is tried again.

        Args:
            key: of the work; everything that the result depends on.
            make: makes it, and tells how far it is.
        """
        with self._lock:
            work = self._works.get(key)
            if work is None:
                work = self._works[key] = MadeThing()
                self._forget()
                self._executor = self._executor or ThreadPoolExecutor(1, thread_name_prefix="explorer")
                self._executor.submit(self._run, work, make)
            elif work.error is not None:
                del self._works[key]
            else:
                self._works.move_to_end(key)
            return work

    def _forget(self) -> None:
        for key in [key for key, work in self._works.items() if work.is_finished][
            : max(0, len(self._works) - MOST_WORKS)
        ]:
            del self._works[key]

    def _run(self, work: MadeThing[T], make: Callable[[Progress], T]) -> None:
        def told(stage: str, done: int, total: int) -> None:
            work.done, work.total = done, total

        try:
            work.result = make(told)
        except CoditectError as error:
            work.error = error
        except BaseException:
            # Faults of ours, and panics of libraries in Rust, which are no Exceptions: the page must say it.
            log.exception("work behind a page failed")
            work.error = CoditectError("the server could not make this page", hint="The operator's log says why.")
        finally:
            work._ended.set()

    def close(self) -> None:
        """Give up what waits."""
        if self._executor is not None:
            self._executor.shutdown(wait=False, cancel_futures=True)
