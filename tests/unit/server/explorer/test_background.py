"""Long work behind a page: made once, and told how far it is."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event
from time import sleep

import pytest

from coditect.errors import UsageError
from coditect.knowledge.progress import Progress
from coditect.server.explorer.background import MOST_WORKS, BackgroundMaker, MadeThing
from coditect.server.problems import as_problem
from tests.panics import Panic


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


def test_waiting_ends_with_the_result_and_not_before() -> None:
    """Who waits for something quick has it at once; who waits for something slow goes on without it."""
    background: BackgroundMaker[str] = BackgroundMaker()
    go = Event()

    def make(progress: Progress) -> str:
        assert go.wait(30)
        return "it"

    work = background.get("key", make)
    work.wait(0.01)
    assert not work.is_finished
    go.set()
    work.wait(30)
    assert work.result == "it"
    background.close()


def test_an_error_is_told_once_and_then_tried_again() -> None:
    """A store that did not answer once may answer now."""
    background: BackgroundMaker[str] = BackgroundMaker()
    tried: list[str] = []

    def make(progress: Progress) -> str:
        tried.append("it")
        if len(tried) == 1:
            raise UsageError("not now")
        return "it"

    background.get("key", make).wait(30)
    told = background.get("key", make)
    assert told.error is not None
    again = background.get("key", make)
    again.wait(30)
    assert (again.result, len(tried)) == ("it", 2)
    assert background.get("key", make) is again
    background.close()


def _made(background: BackgroundMaker[str], key: object) -> tuple[MadeThing[str], list[int]]:
    """A finished work, and how often it was made just now."""
    made: list[int] = []

    def make(progress: Progress) -> str:
        made.append(1)
        return "it"

    work = background.get(key, make)
    while not work.is_finished:
        sleep(0.001)
    return work, made


def test_sixteen_works_are_kept_and_the_one_asked_for_longest_ago_goes() -> None:
    """When a further one begins; one that was asked for again is a recent one."""
    background: BackgroundMaker[str] = BackgroundMaker()
    for number in range(16):
        _made(background, number)
    assert _made(background, 0)[1] == []
    _made(background, 16)
    assert _made(background, 0)[1] == []
    assert _made(background, 2)[1] == []
    assert _made(background, 1)[1] == [1]
    background.close()


def test_works_are_made_one_after_another_and_what_waits_is_given_up_at_the_end() -> None:
    """The end does not wait for what is being made, which is finished."""
    background: BackgroundMaker[str] = BackgroundMaker()
    begun, go, inside = Event(), Event(), list[str]()

    def make(name: str) -> Callable[[Progress], str]:
        def making(progress: Progress) -> str:
            inside.append(name)
            begun.set()
            assert go.wait(30)
            return name

        return making

    first, second = background.get("first", make("first")), background.get("second", make("second"))
    assert begun.wait(30)
    background.close()
    assert (inside, first.is_finished, second.is_finished) == (["first"], False, False)
    go.set()
    while not first.is_finished:
        sleep(0.001)
    assert (inside, second.is_finished) == (["first"], False)
    BackgroundMaker[str]().close()


@pytest.mark.parametrize("fault", [ValueError("broken"), Panic("broken"), SystemExit(1)])
def test_a_work_that_broke_says_so_and_is_tried_again(fault: BaseException, caplog: pytest.LogCaptureFixture) -> None:
    """Who waits is told that it failed, the log says why, and the next who asks has it tried again."""
    background: BackgroundMaker[str] = BackgroundMaker()

    def breaks(progress: Progress) -> str:
        raise fault

    work = background.get("key", breaks)
    work.wait(30)
    assert work.is_finished
    assert background.get("key", breaks).error is work.error
    assert work.error is not None
    assert as_problem(work.error).status == 500
    assert "work behind a page failed" in caplog.text
    assert type(fault).__name__ in caplog.text
    assert _made(background, "key")[1] == [1]
    background.close()
