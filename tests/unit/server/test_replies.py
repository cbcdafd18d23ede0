"""Answers that are kept by their key: how many, where, and what of them is believed."""

from __future__ import annotations

import hashlib
import json
import os
import threading
from pathlib import Path

import pytest

from coditect.server.access.callers import Caller
from coditect.server.problems import Problem
from coditect.server.replies import KEPT, Replies

ME = Caller("me", "t", "reviewer")


def kept(folder: Path) -> list[Path]:
    """What is in a folder, by name."""
    return sorted(folder.iterdir())


def test_ten_thousand_answers_are_kept_unless_told_otherwise(tmp_path: Path) -> None:
    """The operator's guide says so."""
    assert KEPT == 10_000
    assert Replies(tmp_path)._kept == KEPT


def test_the_folder_is_the_servers_own(tmp_path: Path) -> None:
    """Made with those above it, and found again."""
    folder = tmp_path / "deep" / "down"
    for _ in range(2):
        Replies(folder)
    assert folder.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("key", [None, ""])
def test_without_a_key_everything_is_made(tmp_path: Path, key: str | None) -> None:
    """And nothing is kept."""
    replies = Replies(tmp_path)
    assert [replies.once(ME, key, {}, lambda n=n: n) for n in range(3)] == [0, 1, 2]  # type: ignore[misc]
    assert kept(tmp_path) == []


def test_what_was_begun_and_not_written_is_removed(tmp_path: Path) -> None:
    """At the next start; what is written stays."""
    Replies(tmp_path).once(ME, "k", {}, lambda: 1)
    (written,) = kept(tmp_path)
    (tmp_path / "half.new").write_text("{")
    assert Replies(tmp_path).once(ME, "k", {}, lambda: 2) == 1
    assert kept(tmp_path) == [written]


@pytest.mark.parametrize(("most", "left"), [(1, 1), (2, 2), (3, 3), (4, 3)])
def test_the_oldest_answers_go_first(tmp_path: Path, most: int, left: int) -> None:
    """Also those that an earlier run kept, by their time; one that somebody removed is no loss."""
    first = Replies(tmp_path, kept=9)
    for number in range(2):
        before = set(kept(tmp_path))
        first.once(ME, f"old{number}", {}, lambda: 0)
        (fresh,) = set(kept(tmp_path)) - before
        os.utime(fresh, ns=(10 - number, 10 - number))  # the second one is the older
    again = Replies(tmp_path, kept=most)
    again.once(ME, "new", {}, lambda: 0)
    if most == 1:  # one goes for each that comes
        again.once(ME, "newer", {}, lambda: 0)
        left = 2
    assert len(kept(tmp_path)) == left
    names = {f"{hashlib.sha256(f't{chr(0)}me{chr(0)}{key}'.encode()).hexdigest()}.json" for key in ("old0", "new")}
    if most == 2:
        assert {each.name for each in kept(tmp_path)} == names
        for each in kept(tmp_path):
            each.unlink()
        again.once(ME, "last", {}, lambda: 0)
        assert len(kept(tmp_path)) == 1


@pytest.mark.parametrize("spoiled", [b"", b"{", b'{"format":"reply/2","request_sha256":"","answer":1}', b"[]x"])
def test_what_is_no_answer_of_this_release_is_not_believed(tmp_path: Path, spoiled: bytes) -> None:
    """The change is made, and kept instead."""
    Replies(tmp_path).once(ME, "k", {}, lambda: 1)
    (place,) = kept(tmp_path)
    place.write_bytes(spoiled)
    assert [Replies(tmp_path).once(ME, "k", {}, lambda n=n: n) for n in (2, 3)] == [2, 2]  # type: ignore[misc]
    assert json.loads(place.read_bytes())["format"] == "reply/1"


def test_a_key_is_of_one_request(tmp_path: Path) -> None:
    """In whatever order its fields come."""
    replies = Replies(tmp_path)
    assert replies.once(ME, "k", {"a": 1, "b": 2}, lambda: 1) == 1
    assert replies.once(ME, "k", {"b": 2, "a": 1}, lambda: 2) == 1
    with pytest.raises(Problem) as refused:
        replies.once(ME, "k", {"a": 1}, lambda: 3)
    assert refused.value.status == 409
    for other in (Caller("you", "t", "reviewer"), Caller("me", "u", "reviewer")):
        assert replies.once(other, "k", {"a": 1}, lambda: 4) == 4


def test_the_same_key_waits_for_what_is_made_with_it(tmp_path: Path) -> None:
    """Others do not wait for it."""
    replies, begun, going, made = Replies(tmp_path), threading.Event(), threading.Event(), list[str]()

    def slow() -> str:
        begun.set()
        assert going.wait(60)
        made.append("slow")
        return "slow"

    first = threading.Thread(target=lambda: replies.once(ME, "k", {}, slow))
    first.start()
    assert begun.wait(60)
    second = threading.Thread(target=lambda: made.append(replies.once(ME, "k", {}, lambda: "again")))
    second.start()
    assert [replies.once(ME, f"other{n}", {}, lambda n=n: n) for n in range(99)] == list(range(99))  # type: ignore[misc]
    assert made == []
    going.set()
    first.join()
    second.join()
    assert made == ["slow", "slow"]
