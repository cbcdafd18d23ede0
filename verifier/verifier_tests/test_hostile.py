"""Bundles by somebody who knows the program: what they say neither lies where it is printed nor ends in a traceback."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from coditect_verify.command import HOLDS, WRONG, main

from coditect.store.store import Store
from verifier_tests.bundles import KEY, Members, bundle_of, members_of, only, write_members

LIE = "\x1b[2K\n\u202eholds   witnesses w1: all of them\u2028\r\x9b1A"
LENGTHS = 20
"""Where the two lengths of a member stand in its entry of the directory."""


@pytest.fixture
def members(built: Store) -> Members:
    """The bundle of a claim."""
    return members_of(bundle_of(built, "claim"))


def _checked(path: Path, capsys: pytest.CaptureFixture[str], *more: str) -> tuple[int, str]:
    """The exit code and what was printed; nothing but that."""
    code = main([str(path), "--key", str(KEY.key), *more])
    shown = capsys.readouterr()
    assert shown.err == ""
    return code, shown.out


def _index(members: Members, change: Callable[[dict[str, Any]], object]) -> Members:
    index = json.loads(members["bundle.json"])
    change(index)
    return {**members, "bundle.json": json.dumps(index).encode()}


@pytest.mark.parametrize(
    "change",
    [
        lambda index: index["subject"].update(id=index["subject"]["id"] + LIE),
        lambda index: index["subject"].update(kind="claim" + LIE),
        lambda index: index.update(corpus_id=LIE),
        lambda index: index.update(generation=LIE),
        lambda index: index.update(format=LIE),
        lambda index: index["entries"].update(signatures={LIE: 1}),
    ],
)
def test_what_a_bundle_says_begins_no_line_and_moves_no_cursor(
    members: Members, tmp_path: Path, capsys: pytest.CaptureFixture[str], change: Callable[[dict[str, Any]], object]
) -> None:
    """Whoever reads sees that there is something odd, and no line that this program did not write."""
    code, told = _checked(write_members(tmp_path / "b", _index(members, change)), capsys)
    assert code == WRONG
    assert not [line for line in told.splitlines() if line.startswith("holds   witnesses")]
    assert all(each.isprintable() for each in told.replace("\n", ""))


def test_letters_of_all_languages_stay_letters(
    members: Members, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Only what is no letter, number or sign is written as its number."""
    spoilt = _index(members, lambda index: index.update(corpus_id="Prüfung 監査 дело"))
    assert "Prüfung 監査 дело" in _checked(write_members(tmp_path / "b", spoilt), capsys)[1]


@pytest.mark.parametrize("format_", ["text", "json"])
def test_halves_of_letters_are_printed_as_their_numbers(
    members: Members, tmp_path: Path, capsys: pytest.CaptureFixture[str], format_: str
) -> None:
    """JSON may have them, and no encoding of a terminal has."""
    path = write_members(tmp_path / "b", _index(members, lambda index: index["subject"].update(id="\ud800")))
    code, told = _checked(path, capsys, "--format", format_)
    assert code == WRONG
    assert "\\ud800" in told


def test_the_number_of_the_generation_is_that_of_its_record(
    members: Members, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is printed among what holds, so that it is held against what the log tells of."""
    path = write_members(tmp_path / "b", _index(members, lambda index: index.update(generation=99)))
    code, told = _checked(path, capsys)
    assert code == WRONG
    assert "bundle.json says generation 99; records/generation says 1" in told


@pytest.mark.parametrize(
    "change",
    [
        lambda index: index.update(subject=[1]),
        lambda index: index.update(entries=3),
        lambda index: index.update(entries=[]),
        lambda index: index["entries"].update(signatures=[1, 2]),
        lambda index: index["entries"].update(signatures="all"),
        lambda index: index["entries"].update(documents=None),
        lambda index: index["entries"].update(generation={"a": 1}),
        lambda index: index["entries"].update(generation="٢٠"),
    ],
)
def test_an_index_of_another_shape_is_told(
    members: Members, tmp_path: Path, capsys: pytest.CaptureFixture[str], change: Callable[[dict[str, Any]], object]
) -> None:
    """As something that is wrong, in a sentence."""
    code, told = _checked(write_members(tmp_path / "b", _index(members, change)), capsys)
    assert code == WRONG
    assert "WRONG   " in told


def test_what_is_nested_too_deep_to_be_hashed_is_told(
    members: Members, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """JSON that can be read and not be written again."""
    deep = b'{"derivation_id":"x","inputs":' + b"[" * 900 + b"]" * 900 + b"}"
    spoilt = {name: deep if name.startswith("steps/") else data for name, data in members.items()}
    code, told = _checked(write_members(tmp_path / "b", spoilt), capsys)
    assert code == WRONG
    assert "RecursionError" in told


@pytest.mark.parametrize(
    ("place", "form", "value", "says"),
    [
        (6, "<H", 99, "this is no bundle: zip file version 9.9"),
        (8, "<H", 1 << 5, "cannot be read: NotImplementedError"),
        (8, "<H", 1 << 6, "cannot be read: NotImplementedError"),
        (24, "<L", 1 << 31 | 1, "compressed, encrypted or too long"),
        (42, "<L", 1 << 30, "cannot be read: "),
    ],
)
def test_a_directory_that_lies_about_a_member_is_told(
    members: Members, tmp_path: Path, capsys: pytest.CaptureFixture[str], place: int, form: str, value: int, says: str
) -> None:
    """A version that nobody has, encryption, patches, a length or a place that is not there."""
    path = write_members(tmp_path / "b", members)
    data = bytearray(path.read_bytes())
    entry = data.rindex(b"PK\x01\x02", 0, data.rindex(only(members, "texts/").encode()))
    struct.pack_into(form, data, entry + place, value)
    path.write_bytes(data)
    code, told = _checked(path, capsys)
    assert code == WRONG
    assert says in told


def test_a_member_that_is_shorter_than_it_says_is_told(
    members: Members, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its bytes end with the file."""
    path = write_members(tmp_path / "b", members)
    data = bytearray(path.read_bytes())
    entry = data.rindex(b"PK\x01\x02", 0, data.rindex(only(members, "texts/").encode()))
    struct.pack_into("<LL", data, entry + LENGTHS, 1 << 30, 1 << 30)
    path.write_bytes(data)
    code, told = _checked(path, capsys)
    assert code == WRONG
    assert "cannot be read: " in told


def test_entries_that_are_left_out_are_named_as_left_out(
    members: Members, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever made the bundle may have dropped the proof of when a document came in: the log was not asked, and is not quoted."""
    path = write_members(tmp_path / "b", _index(members, lambda index: index["entries"].update(documents={})))
    code, told = _checked(path, capsys)
    assert code == HOLDS
    assert "the bundle has no entry of it; it was imported, is older than the log, or was left out" in told
    assert "order   " not in told
