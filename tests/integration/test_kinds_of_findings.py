"""A question for a kind of findings ("gaps", "where do our documents disagree?") is answered by those, whatever their words are."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from coditect import BuildSettings, Settings, open_knowledge
from coditect.knowledge.service import Knowledge
from coditect.sample import sample_folder
from coditect.schemas import Claim
from tests.places import tenant_at, url_at

SAMPLE = "verrowen"


@pytest.fixture(scope="module")
def knowledge(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Knowledge]:
    """The sample corpus as a demonstration builds it."""
    folder = tmp_path_factory.mktemp("kinds")
    settings = Settings(
        store=url_at(folder / "store"), tenant=tenant_at(folder / "store"), cache=folder / "cache", jobs=1
    )
    with open_knowledge(settings) as opened:
        opened.ingest(SAMPLE, [sample_folder()])
        opened.build(SAMPLE, BuildSettings(today="2026-09-30"))
        yield opened


@pytest.mark.parametrize(
    ("query", "kind"),
    [("gaps", "gap"), ("what is missing?", "gap"), ("contradictions between documents", "conflict"),
     ("where do our documents disagree?", "conflict"), ("conflicts", "conflict"), ("requirements", "requirement")],
)  # fmt: skip
def test_kinds_of_findings_answer_for_themselves(knowledge: Knowledge, query: str, kind: str) -> None:
    """Surely: what a finding is asked as counts as words of its own."""
    found = knowledge.query(SAMPLE, query, tier="corpus", limit=2)
    assert found.relevance == "correct"
    first = knowledge.item(found.hits[0].item.item_id, corpus_id=SAMPLE)
    assert isinstance(first, Claim)
    assert first.claim_kind == kind
