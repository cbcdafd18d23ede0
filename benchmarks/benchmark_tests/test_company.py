"""Claims held against a list of what was planted."""

from __future__ import annotations

from coditect_benchmarks.company import Told, match

PLANTED = {
    "conflicts": [
        {
            "id": "C1",
            "kind": "deadline",
            "passages": [
                {"file": "a.md", "quote": "Claims are answered within two days."},
                {"file": "b.md", "quote": "Claims are answered within ten days."},
            ],
            "also": [{"file": "c.md", "quote": "The insurer must answer claims within five days."}],
        }
    ],
    "not_conflicts": [
        {
            "id": "D1",
            "kind": "stricter",
            "passages": [
                {"file": "a.md", "quote": "Claims are answered within two days."},
                {"file": "c.md", "quote": "The insurer must answer claims within five days."},
            ],
        }
    ],
    "gaps": [{"id": "G1", "kind": "open", "passages": [{"file": "d.md", "quote": "The owner of the log is TBD."}]}],
}


def _told(kind: str, *quotes: tuple[str, str]) -> Told:
    return Told(kind, "medium", "said", quotes)


def test_match_tells_planted_conflicts_from_look_alikes() -> None:
    """A claim on both sides of a conflict finds it; one that quotes a look-alike alone is wrong, whatever else it shares."""
    real = _told(
        "conflict", ("a.md", "Claims are answered within two days."), ("b.md", "Claims are answered within ten days.")
    )
    wrong = _told(
        "conflict",
        ("a.md", "Claims are answered within two days."),
        ("c.md", "The insurer must answer claims within five days."),
    )
    found = match([real, wrong], PLANTED)
    assert (found.found["C1"], found.wrong["D1"], found.others) == ((real,), (wrong,), ())


def test_match_finds_gaps_by_their_words_and_leaves_the_rest() -> None:
    """A quote that holds the passage finds it; another gap matches nothing."""
    right, other = _told("gap", ("d.md", "1. The owner of the log is TBD.")), _told("gap", ("d.md", "Nothing of that."))
    found = match([right, other], PLANTED)
    assert (found.found["G1"], found.found["C1"], found.others) == ((right,), (), (other,))
