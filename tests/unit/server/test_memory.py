"""What the server asks of the C library, where it is the GNU one."""

from __future__ import annotations

import ctypes
import platform
import threading

import pytest

from coditect.server import memory
from coditect.server.memory import few_arenas, give_back, given_back_often

GNU = platform.libc_ver()[0] == "glibc"


@pytest.mark.skipif(not GNU, reason="another C library")
def test_the_gnu_library_does_what_it_is_asked() -> None:
    """It knows the parameter, and has something to give back after much was freed."""
    assert few_arenas()
    held = [bytes(1000) for _ in range(200_000)]
    del held[::2]
    assert isinstance(give_back(), bool)


def test_another_library_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of the kind is there, or nothing can be opened."""
    for odd in (lambda _: object(), _refused):
        monkeypatch.setattr(ctypes, "CDLL", odd)
        assert not few_arenas()
        assert not give_back()


def _refused(_: object) -> object:
    raise OSError("no such library")


def test_memory_is_given_back_again_and_again_until_the_server_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a thread that ends with it."""
    times: list[int] = []
    thrice = threading.Event()

    def counted() -> bool:
        times.append(1)
        if len(times) == 3:
            thrice.set()
        return True

    monkeypatch.setattr(memory, "give_back", counted)
    with given_back_often(0.001):
        assert thrice.wait(60)
    assert not any(each.name == "memory" for each in threading.enumerate())
    ended = len(times)
    with given_back_often(3600):
        assert any(each.name == "memory" for each in threading.enumerate())
    assert len(times) == ended
