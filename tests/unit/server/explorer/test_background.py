"""Long work behind a page: made once, and told how far it is."""

from __future__ import annotations

from threading import Event

import pytest

from coditect.errors import UsageError
from coditect.knowledge.progress import Progress
from coditect.server.explorer.background import MOST_WORKS, BackgroundMaker, MadeThing


def _finished(work: MadeThing[str], done: Event) -> MadeThing[str]:
    assert done.wait(30)
    while not work.is_finished:
        done.wait(0.01)
    return work


def test_work_is_made_once_and_tells_how_far_it_is() -> None:
    """Who asks again meanwhile is told of the same work."""
    background: BackgroundMaker[str] = BackgroundMaker()
    go, told, done, made = Event(), Event(), Event(), []

    def make(progress: Progress) -> str:
        made.append(1)
        progress("compared", 3, 7)
        told.set()
        go.wait(30)
        done.set()
        return "it"

    work = background.get("key", make)
    assert told.wait(30)
    assert (work.done, work.total, work.is_finished) == (3, 7, False)
    assert background.get("key", make) is work
    go.set()
    assert _finished(work, done).result == "it"
    assert made == [1]
    background.close()


def test_an_error_is_a_result() -> None:
    """It is told to whoever asks, and does not end the thread."""
    background: BackgroundMaker[str] = BackgroundMaker()
    done = Event()

    def fail(progress: Progress) -> str:
        done.set()
        raise UsageError("the framework holds no requirements")

    error = _finished(background.get("bad", fail), done).error
    assert error is not None
    assert error.message == "the framework holds no requirements"
    again = Event()

    def succeed(progress: Progress) -> str:
        again.set()
        return "good"

    assert _finished(background.get("good", succeed), again).result == "good"
    background.close()


@pytest.mark.parametrize("extra", [0, 5])
def test_no_more_works_are_kept_than_there_is_room_for(extra: int) -> None:
    """Those that are finished go, the oldest first; a result that went is made again."""
    background: BackgroundMaker[str] = BackgroundMaker()
    for n in range(MOST_WORKS + extra + 1):
        done = Event()

        def make(progress: Progress, done: Event = done) -> str:
            done.set()
            return "it"

        _finished(background.get(n, make), done)
    assert len(background._works) <= MOST_WORKS + 1
    background.close()
