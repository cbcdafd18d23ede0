"""How the register of exceptions is counted."""

from __future__ import annotations

import hashlib
from pathlib import Path

from coditect_benchmarks.waivers import FIELDS, read_gold, score_read, score_written, sentences_of

GRANTED = "The Board approved an exception to Rule 4 for the Leeds office until 30 June 2026."
NONE = "Each party waives any right to trial by jury."


def test_the_written_set_is_large_enough_and_complete() -> None:
    """At least 40 exceptions with all fields, and 25 look-alikes that say why."""
    gold = read_gold()
    assert len(gold["granted"]) >= 40
    assert len(gold["look_alikes"]) >= 25
    assert all(set(FIELDS) <= set(each) for each in gold["granted"])
    assert all(each["why"] for each in gold["look_alikes"])


def test_fields_are_counted_one_by_one() -> None:
    """A name that holds the label is right, another day is not; a look-alike that is told is invented."""
    said = {
        "kind": "exception",
        "holder": "Leeds office",
        "provision": "Rule 4",
        "by": "the Board",
        "granted": "",
        "length": "",
    }
    exception = {"text": GRANTED, **said, "until": "2026-07-01", "condition": ""}
    counted = score_written({"granted": [exception], "look_alikes": [{"text": NONE}, {"text": GRANTED}]})
    assert (counted["asked"], counted["found"], counted["look_alikes"], counted["invented"]) == (1, 1, 2, 1)
    assert set(FIELDS) - set(counted["right"]) == {"until"}


def test_labels_are_found_again_by_the_words_of_their_sentences(tmp_path: Path) -> None:
    """However the lines of a file are broken; of one half alone."""
    broken = GRANTED.replace(" for ", "\nfor ")
    (tmp_path / "minutes.md").write_text(f"# Minutes\n\n{broken} {NONE}\n")
    assert set(sentences_of(tmp_path / "minutes.md")) >= {GRANTED, NONE}
    digests = [hashlib.sha1(each.encode(), usedforsecurity=False).hexdigest()[:16] for each in (GRANTED, NONE, "Gone.")]
    labels = [
        ["report", "minutes.md", digest, label]
        for digest, label in zip(digests, ("granted", "none", "none"), strict=True)
    ]
    labels.append(["develop", "minutes.md", digests[0], "none"])
    assert score_read(labels, [tmp_path], "report") == {
        "absent": 1,
        "granted told as granted": 1,
        "labelled granted": 1,
        "labelled none": 1,
        "none told as nothing": 1,
    }
