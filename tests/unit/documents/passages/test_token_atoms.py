"""Tokens as the smallest pieces of passages, and runs of rows and list items."""

from __future__ import annotations

from coditect.documents.passages.atoms import token_atoms


def test_every_token_that_is_no_white_space_is_an_atom() -> None:
    """Each ends before the white space behind it; tokens at one place are one."""
    text = "Staff shall report.\n"
    assert len(text) == 20
    atoms = token_atoms(text, [0, 0, 5, 6, 12, 18, 19, 20])
    assert [text[start:end] for start, end in zip(atoms.starts, atoms.ends, strict=True)] == [
        "Staff",
        "shall",
        "report",
        ".",
    ]
    assert list(atoms.first) == [0, 3, 4, 5]
    assert list(atoms.last) == [2, 4, 5, 6]
    assert [atoms.size(0, 1), atoms.size(0, 4), atoms.size(1, 3)] == [2, 6, 2]
    assert atoms.ranks[0] == 0
    assert len(set(atoms.ranks[1:])) == 1
    assert len(atoms) == len(atoms.opens) == len(atoms.sentence) == 4


def test_words_before_the_first_token_are_an_atom_of_their_own() -> None:
    """What a tokenizer passes over at the beginning is not lost, and a token at the first word is not doubled."""
    atoms = token_atoms("  one two", [6])
    assert [(start, end) for start, end in zip(atoms.starts, atoms.ends, strict=True)] == [(2, 5), (6, 9)]
    atoms = token_atoms("one two", [0, 4])
    assert list(atoms.starts) == [0, 4]
    assert list(token_atoms("one two", []).starts) == [0]
    assert not token_atoms("  \n", [0, 1])
