from __future__ import annotations

import itertools

import pytest
from coditect_benchmarks.gold.sampling import stratum_of
from coditect_benchmarks.gold.segments import find_segments, read_lines_of, split_sentences

from coditect.documents.readers import read_source

RULES = (
    "4.1.(1)\tThe custodian must:\n(a)\tkeep each key; and\n(b)\tif it loses one:\n(i)\ttell the client; and\n(ii)\treplace it,\n"
    "within ten days.\n4.1.(2)\tThis does not apply to No. 7 keys. Keys may be copied.\nVault\tMeans a room without windows.\n"
)


def _segments(text: str) -> list[tuple[str, int, bool]]:
    source = read_source(text.encode(), "rules.txt")
    return [(source.text[s.start : s.end], s.depth, s.tail) for s in find_segments(source.text, read_lines_of(source))]


def test_a_list_group_is_one_unit_with_its_nested_items_and_tail() -> None:
    """Lead-in, items of two depths and what follows them belong together, and the next rule does not."""
    words, depth, tail = _segments(RULES)[0]
    assert words.startswith("4.1.(1)\tThe custodian must:")
    assert words.endswith("within ten days.")
    assert (depth, tail) == (2, True)


def test_sentences_end_at_their_full_stop_and_not_at_an_abbreviation() -> None:
    """The number of a rule and "No." end no sentence."""
    assert [words for words, depth, _ in _segments(RULES) if not depth] == [
        "4.1.(2)\tThis does not apply to No. 7 keys.",
        "Keys may be copied.",
        "Vault\tMeans a room without windows.",
    ]


def test_an_item_after_the_lists_own_numbering_ends_the_list() -> None:
    """(c) after (b) is a sibling of the lead-in, not an item of its list."""
    found = _segments("(b)\tA member shall:\n(i)\tpay; and\n(ii)\tvote.\n(c)\tA guest may listen.\n")
    assert [words[:3] for words, _, _ in found] == ["(b)", "(c)"]
    assert found[0][0].endswith("vote.")


def test_segments_do_not_overlap_and_are_stripped() -> None:
    """Each unit is a stretch of its own without white space at its edges."""
    source = read_source(RULES.encode(), "rules.txt")
    segments = find_segments(source.text, read_lines_of(source))
    assert all(a.end <= b.start for a, b in itertools.pairwise(segments))
    assert all(source.text[s.start : s.end] == source.text[s.start : s.end].strip() for s in segments)


def test_quotation_marks_after_a_full_stop_belong_to_the_sentence() -> None:
    """The closing mark stays with what it closes."""
    text = 'He said "no." Then he left.'
    assert [text[a:b] for a, b in split_sentences(text, 0, len(text))] == ['He said "no."', "Then he left."]


@pytest.mark.parametrize(
    ("text", "stratum"),
    [
        ("Nothing in this rule requires a bank to lend.\n", "exemption"),
        ("A bank must not lend here.\n", "negative"),
        ("A bank must lend here at once.\n", "must"),
        ("Banks lend money to people.\n", "plain"),
    ],
)
def test_strata_follow_plain_words(text: str, stratum: str) -> None:
    """What is drawn how often is decided by the words in sight."""
    source = read_source(text.encode(), "rules.txt")
    lines = read_lines_of(source)
    segment = find_segments(source.text, lines)[0]
    assert stratum_of(source.text, segment, lines[segment.line]) == stratum
