"""The planted sentences of the work list, and the policies that are written of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from coditect_benchmarks.work_list.planted import AMENDMENTS, planted_sentences, write_policies


@pytest.mark.parametrize("part", sorted(AMENDMENTS))
def test_twenty_sentences_rest_on_what_changed(part: str) -> None:
    """Beside more than twice as many that do not; each label is of the part."""
    sentences = list(planted_sentences(part))
    resting = [each for each in sentences if each.label]
    assert len(resting) == 20
    assert len(sentences) - len(resting) >= 55
    assert all(each.label.startswith(f"{part.split('-')[0]}-") for each in resting)


@pytest.mark.parametrize("part", ["1005", "1005-third-parties", "1024"])
def test_words_close_to_the_regulation_rest_on_the_same_provisions(part: str) -> None:
    """Twenty of them beside more that rest on nothing that changed; what they say is said in other words."""
    close, own = list(planted_sentences(part, "close")), list(planted_sentences(part))
    assert len([each for each in close if each.label]) == 20
    assert len([each for each in close if not each.label]) >= 30
    assert not {each.text for each in close} & {each.text for each in own if each.label}


def test_policies_are_written_without_marks(tmp_path: Path) -> None:
    """The product reads what a bank would write."""
    write_policies("1002", tmp_path)
    texts = [path.read_text() for path in sorted(tmp_path.iterdir())]
    assert len(texts) == 4
    assert not any("{" in text for text in texts)
    assert all(any(each.text in text for text in texts) for each in planted_sentences("1002"))
