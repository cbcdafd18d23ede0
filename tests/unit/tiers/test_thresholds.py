"""The thresholds of the upper tiers are where their docstrings say: one step on either side decides otherwise."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from coditect.schemas import Chunk
from coditect.tiers.findings.gaps import find_gaps
from tests.unit.tiers.corpora import EXCEPTIONS, chunks_of, versions_of
from tests.unit.tiers.read_plainly import find_topics


def _saying(chunk: Chunk, texts: list[str]) -> Chunk:
    """A chunk whose selected sentences are these."""
    model = chunk.selected_sentences[0]
    said = tuple(model.model_copy(update={"text": text}) for text in texts)
    return chunk.model_copy(update={"selected_sentences": said})


def _shared_topics(both: int, own: int) -> set[str]:
    """Topics where so many statements of "audit evidence" speak of the larger topic "key rotation", and so many do not."""
    text = "# {0} Policy\n\n## {1} {2}\n\n{1}.1 Staff shall keep the book of {0} in good order at all times.\n"
    incidents = {
        f"a{n}.md": text.format(name, 1, "Key rotation") for n, name in enumerate(("Finance", "Sales", "Labs", "Depot"))
    }
    audits = {f"b{n}.md": text.format(name, 2, "Audit evidence") for n, name in enumerate(("Plant", "Fleet"))}
    first = [chunk for chunk in chunks_of(incidents) if chunk.selected_sentences]
    second = [chunk for chunk in chunks_of(audits) if chunk.selected_sentences]
    said = [f"The audit evidence of key rotation is kept in room {n}." for n in range(both)]
    mine = [f"The audit evidence of plant {n} is kept there." for n in range(own)]
    chunks = [_saying(chunk, [*said, "The key rotation is tested."]) for chunk in first]
    chunks += [_saying(chunk, mine) for chunk in second]
    return {topic.name for topic in find_topics(chunks, 24)}


def test_topic_of_which_half_is_fresh_is_told() -> None:
    """Eight statements of its own beside eight that the larger topic has are enough."""
    assert _shared_topics(both=2, own=4) >= {"key rotation", "audit evidence"}


def test_topic_of_which_less_than_half_is_fresh_is_not_told() -> None:
    """Six statements of its own beside eight that the larger topic has are not enough."""
    found = _shared_topics(both=2, own=3)
    assert "audit evidence" not in found
    assert "key rotation" in found


@pytest.mark.parametrize(("days", "stale"), [(138, 0), (139, 1)])
def test_interval_may_be_exceeded_by_half(days: int, stale: int) -> None:
    """A quarterly test is out of date when more than one and a half times 92 days have passed."""
    newest = date(2026, 9, 16)  # what EXCEPTIONS reports as done
    last = newest - timedelta(days=days)
    register = f"Control,Title,Frequency,Last tested\nC-1,Logs,quarterly,{last}\nC-2,Keys,quarterly,2026-09-01\n"
    files = {"register.csv": register, "exceptions.csv": EXCEPTIONS}
    found = find_gaps(chunks_of(files), versions_of(files))["stale"]
    assert len([gap for gap in found if gap.words["row"].startswith("Control: C-1")]) == stale


def test_the_first_date_of_a_cell_is_when_something_was_done() -> None:
    """ "Tested in January, next in December" was done in January: nothing that is due in May is overdue by it."""
    register = "Control,Title,Last tested,Due on\nC-1,Logs,2026-01-10 (next 2026-12-01),2026-05-31\n"
    register += "C-2,Keys,2026-01-08,2026-06-30\n"
    files = {"register.csv": register}
    assert not find_gaps(chunks_of(files), versions_of(files))["overdue"]
    later = {"register.csv": register.replace("2026-01-08", "2026-06-08")}
    assert [gap.words["due"] for gap in find_gaps(chunks_of(later), versions_of(later))["overdue"]] == ["2026-05-31"]
