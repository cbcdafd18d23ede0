"""What sentences fix, in whatever words, and which two of them are nearest and differ."""

from __future__ import annotations

import numpy as np
import pytest

from coditect.tiers.findings.conflicts.possible.facts import SentenceFacts, differences, sentence_facts
from coditect.tiers.findings.conflicts.possible.nearest import READ_EACH, SHOWN_EACH, nearest_pairs, pairs_to_read


@pytest.mark.parametrize(
    ("first", "second", "told"),
    [
        (
            "Bills are paid within three weeks.",
            "Bills fall due 14 days after receipt.",
            ("time", "three weeks", "14 days", True),
        ),
        (
            "A lost device is reported within four hours.",
            "If your phone is gone, let us know by the following Monday.",
            ("time", "four hours", "following Monday", False),
        ),
        (
            "Overtime is approved by the supervisor in advance.",
            "Extra hours are noted and signed off afterwards by everybody.",
            ("time", "in advance", "afterwards", False),
        ),
        (
            "The agreement on standby applies from 1 May 2026.",
            "This agreement on standby takes effect on 1 April 2026.",
            ("day", "1 May 2026", "1 April 2026", True),
        ),
        (
            "Cover shall be at least EUR 600,000 for each event.",
            "Hauliers show cover of EUR 300,000 for each event.",
            ("amount", "EUR 600,000", "EUR 300,000", True),
        ),
        (
            "In an alarm, workers must go to muster point B.",
            "In an alarm all workers are counted at muster point C.",
            ("place", "point B", "point C", True),
        ),
        (
            "The noise limit at the fence at night is 45 dB.",
            "Noise at the fence is kept below 50 dB at night.",
            ("size", "45 dB", "50 dB", True),
        ),
        (
            "Logs are deleted every month from the gateway.",
            "Logs of the gateway are kept for a year.",
            ("time", "every month", "a year", True),
        ),
        (
            "Contractors must not cut locks off.",
            "Contractors may cut locks off with the consent of the foreman.",
            ("polarity", "not", "", False),
        ),
        (
            "Visitors shall not enter the filter hall.",
            "Guests are shown round the filter hall on open days.",
            ("polarity", "not", "", False),
        ),
    ],
)
def test_what_differs_is_told_as_printed(first: str, second: str, told: tuple[str, str, str, bool]) -> None:
    """By figures first, else by words that say when, else by what one of them rules out; the other way round as well."""
    one, other = sentence_facts(first), sentence_facts(second)
    found = differences(one, other)[0]
    assert (found.family, found.first, found.second, found.exact) == told
    turned = differences(other, one)[0]
    assert (turned.second, turned.first) == told[1:3]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Keys are changed every year by the operators.", "Operators renew the keys annually."),
        ("Tests run before each release of the product.", "Prior to shipping the product is tested."),
        ("A password has at least 14 characters for users.", "Training has three topics for all users."),
        ("Nobody enters the hall without a guide.", "No visitor enters the hall alone."),
        ("A password has no fewer than 14 characters.", "Passwords of users are explained in the training."),
        ("Logs of the gateway are reviewed.", "The gateway writes logs of all requests."),
        ("Entry permits are valid for eight hours.", "Entry permits are retained for six years."),
        ("Data sheets are reviewed every two years.", "Monitoring sheets are kept for four years."),
        ("No. | Valve | Setting | Checked by", "Valve | Setting | Person who checks it"),
        ("Amendment No. 1 changes the list of valves.", "The list of valves is changed by the operator."),
        (
            "This Agreement is made on 1 March 2024 between Harrow Ltd. and Pell GmbH.",
            "This First Amendment is entered into as of 2 May 2025 by and between Harrow Ltd. and Pell GmbH.",
        ),
        ("The Lease dated 1 March 2024 covers the quay.", "The Lease dated as of 3 April 2022 covers the quay."),
        ("Drivers go to muster point B in an alarm.", "In an alarm all drivers are counted at muster point B."),
    ],
)
def test_what_may_be_followed_together_does_not_differ(first: str, second: str) -> None:
    """Equal figures, times on one side of an event, numbers of different things, both ruling out, nothing fixed; how long a permit
    holds and how long it is kept; numbers of rows and papers; when and between whom papers were made.
    """
    assert differences(sentence_facts(first), sentence_facts(second)) == ()


@pytest.mark.parametrize("line", ["Valid from: 1 February 2026", "Effective date | 1 March 2026", "", "3"])
def test_document_control_fixes_nothing(line: str) -> None:
    """It has a day, and too few words that say of what."""
    assert not sentence_facts(line)


def _facts(*values: float) -> list[SentenceFacts]:
    return [SentenceFacts({("time", ""): {each: f"{each} hours"}}) for each in values]


def _apart(documents: int) -> np.ndarray:
    return ~np.eye(documents, dtype=bool)


def test_the_nearest_that_differ_are_told_first() -> None:
    """A pair in one document, a pair that fixes the same, and a pair of documents that bind others are none."""
    vectors = np.array(
        [[1, 0, 0, 0], [1, 0.1, 0, 0], [0, 1, 0, 0], [0, 1, 0.5, 0], [0, 0, 0, 1], [0, 0, 0.1, 1]], dtype=np.float32
    )
    documents = np.array([0, 1, 0, 1, 0, 0])
    found = nearest_pairs([vectors], documents, _apart(2), _facts(1, 2, 3, 4, 5, 6), most=9)
    assert [(each.first, each.second) for each in found][:2] == [(0, 1), (2, 3)]
    assert all(documents[each.first] != documents[each.second] for each in found)
    assert found[0].nearness > found[1].nearness
    assert len(nearest_pairs([vectors], documents, _apart(2), _facts(1, 2, 3, 4, 5, 6), most=1)) == 1
    same = nearest_pairs([vectors], documents, _apart(2), _facts(7, 7, 3, 4, 5, 6), most=1)
    assert [(each.first, each.second) for each in same] == [(2, 3)]
    assert nearest_pairs([vectors], documents, np.zeros((2, 2), dtype=bool), _facts(1, 2, 3, 4, 5, 6), most=9) == []


def test_a_sentence_stands_in_a_few_pairs_and_steals_none() -> None:
    """One that is near to many by its words leaves the others their own; no sentence fills the list."""
    vectors = np.array([[1, 0, 0], [1, 0.1, 0], [1, 0, 0.3], [0.9, 0, 0.5]], dtype=np.float32)
    documents = np.array([0, 1, 0, 1])
    found = nearest_pairs([vectors], documents, _apart(2), _facts(1, 2, 3, 4), most=9)
    assert [(each.first, each.second) for each in found][:2] == [(0, 1), (2, 3)]
    assert [each.nearness for each in found] == sorted((each.nearness for each in found), reverse=True)
    many = np.concatenate([np.ones((1, 6)), np.random.default_rng(5).normal(size=(40, 6)) * 0.2 + 1.0])
    told = nearest_pairs([many.astype(np.float32)], np.array([0, *([1] * 40)]), _apart(2), _facts(*range(41)), most=100)
    assert len(told) <= SHOWN_EACH
    assert len({(each.first, each.second) for each in told}) == len(told)


def test_several_readings_of_a_sentence_are_weighed_alike_and_blocks_change_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The order of the readings is none; a block of two finds what one block finds; a zero vector is near to nothing."""
    random = np.random.default_rng(3)
    first, second = (random.normal(size=(40, 8)).astype(np.float32) for _ in range(2))
    first[5] = 0
    documents = np.arange(40) % 4
    facts = _facts(*range(40))
    told: list[tuple[int, int]] = []
    whole = nearest_pairs([first, second], documents, _apart(4), facts, 12, lambda done, of: told.append((done, of)))
    assert told == [(1, 1)]
    assert len(whole) == 12
    assert all(documents[each.first] != documents[each.second] for each in whole)
    assert nearest_pairs([second, first], documents, _apart(4), facts, 12) == whole
    monkeypatch.setattr("coditect.tiers.findings.conflicts.possible.nearest._BLOCK", 7)
    assert [(p.first, p.second) for p in nearest_pairs([first, second], documents, _apart(4), facts, 12)] == [
        (p.first, p.second) for p in whole
    ]


def test_few_sentences_make_no_pair() -> None:
    """Nothing is divided by nothing."""
    one = np.ones((1, 3), dtype=np.float32)
    assert nearest_pairs([one], np.array([0]), _apart(1), _facts(1), 5) == []
    assert nearest_pairs([np.ones((2, 3), dtype=np.float32)], np.array([0, 1]), _apart(2), _facts(1, 2), 0) == []
    both = nearest_pairs([np.ones((2, 3), dtype=np.float32)], np.array([0, 1]), _apart(2), _facts(1, 2), 5)
    assert len(both) == 1


def test_a_reader_is_given_pairs_of_which_no_difference_is_seen_and_each_sentence_several_times() -> None:
    """The nearest first, figures that differ before; the same words are no pair, and no sentence is in more than eight."""
    random = np.random.default_rng(5)
    vectors = np.concatenate([np.ones((1, 6)), random.normal(size=(40, 6)) * 0.2 + 1.0]).astype(np.float32)
    documents = np.array([0, *([1] * 40)])
    facts = [SentenceFacts()] * 41
    words = ["a", "a", *(f"w{n}" for n in range(39))]
    found = pairs_to_read([vectors], documents, _apart(2), facts, words, 100)
    assert len(found) == READ_EACH
    assert all(each.first == 0 and each.second > 1 and not each.differences for each in found)
    assert [each.nearness for each in found] == sorted((each.nearness for each in found), reverse=True)
    assert len(pairs_to_read([vectors], documents, _apart(2), facts, words, 3)) == 3
    assert pairs_to_read([vectors], documents, _apart(2), facts, words, 0) == []


def test_of_pairs_as_near_those_with_other_figures_are_read_first() -> None:
    """Then those of which one rules something out, then the rest."""
    vectors = np.array([[1, 0], [0, 1], [0, 1], [0, 1]], dtype=np.float32)
    facts = [SentenceFacts({("time", ""): {1: "1 hour"}}), SentenceFacts(), SentenceFacts(apart="no"), *_facts(2)]
    found = pairs_to_read([vectors], np.array([0, 1, 1, 1]), _apart(2), facts, list("abcd"), 9)
    assert [each.second for each in found] == [3, 2, 1]


def test_pairs_to_read_are_the_same_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """A block of seven finds what one block finds."""
    random = np.random.default_rng(4)
    vectors = random.normal(size=(40, 8)).astype(np.float32)
    documents = np.arange(40) % 4
    words = [str(n) for n in range(40)]
    whole = pairs_to_read([vectors], documents, _apart(4), _facts(*range(40)), words, 30)
    assert len(whole) == 30
    monkeypatch.setattr("coditect.tiers.findings.conflicts.possible.nearest._BLOCK", 7)
    again = pairs_to_read([vectors], documents, _apart(4), _facts(*range(40)), words, 30)
    assert [(p.first, p.second) for p in again] == [(p.first, p.second) for p in whole]
