"""A duty that invisible characters hide is ingested with a note, found, cited verbatim, and valid."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from coditect.compose import open_knowledge
from coditect.knowledge.service import Knowledge
from coditect.schemas import BuildSettings
from coditect.settings import Settings

HIDDEN = """# Supplier Policy

## 1 Duties

1.1 The Sup\u200bplier sh\u200ball noti\u2060fy the Cus\U000e0041tomer of a bre\u00adach within 7\u200b2 hours.

1.2 The Supplier shall keep records for 30\u00b9 days.
"""


@pytest.fixture(scope="module")
def knowledge(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Knowledge]:
    """A corpus of one policy, built."""
    folder = tmp_path_factory.mktemp("invisible")
    (folder / "docs").mkdir()
    (folder / "docs" / "policy.md").write_text(HIDDEN, encoding="utf-8")
    with open_knowledge(
        Settings(store=f"lmdb://{folder / 'store'}", cache=folder / "cache", embedder="none", jobs=1)
    ) as found:
        outcome = found.ingest("hidden", [folder / "docs"]).outcomes[0]
        assert "5 invisible characters inside words read through (U+200B, U+2060, U+E0041)" in outcome.message
        assert "1 soft hyphen removed" in outcome.message
        found.build("hidden", BuildSettings())
        yield found


def test_hidden_duty_is_found_by_its_words_and_cited_verbatim(knowledge: Knowledge) -> None:
    """Asked for in plain words, answered with the document's own characters, under ids that hold."""
    hits = knowledge.query("hidden", 'supplier notify "customer of a breach"', tier="extraction").hits
    assert "The Sup\u200bplier sh\u200ball noti\u2060fy" in hits[0].item.text
    assert hits[0].item.kind == "obligation"


def test_hidden_duty_is_found_by_a_question_with_invisible_characters(knowledge: Knowledge) -> None:
    """What is pasted from such a document finds it, and the question is repeated as it was asked."""
    result = knowledge.query("hidden", "noti\u2060fy the Cus\U000e0041tomer", tier="extraction")
    assert result.query == "noti\u2060fy the Cus\U000e0041tomer"
    assert "noti\u2060fy" in result.hits[0].item.text


def test_corpus_with_hidden_duties_validates(knowledge: Knowledge) -> None:
    """Offsets, quotes, passages and verdicts hold in every tier."""
    assert knowledge.validate("hidden").findings == ()


def test_validation_tells_again_what_was_lost_in_reading(knowledge: Knowledge) -> None:
    """The losses of a document are no findings, and are said with its name, in text as in JSON."""
    report = knowledge.validate("hidden")
    assert report.clean
    assert {loss.name for loss in report.losses} == {"policy.md"}
    version = next(iter(knowledge.view("hidden").documents.values()))
    assert tuple(loss.message for loss in report.losses) == version.warnings
    assert any("5 invisible characters inside words" in loss.message for loss in report.losses)


def test_claim_on_a_hidden_duty_is_supported(knowledge: Knowledge) -> None:
    """What the policy says is supported, and what it does not say is not."""
    right = knowledge.verify("hidden", "The Supplier shall notify the Customer of a breach within 72 hours.")
    wrong = knowledge.verify("hidden", "The Supplier shall notify the Customer of a breach within 7 days.")
    assert (right.label, wrong.label) == ("supported", "unsupported")
