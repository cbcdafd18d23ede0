"""What earlier releases published is told again as they worded it, byte for byte; what is built now, as claims are worded now."""

from __future__ import annotations

import io
import lzma
from pathlib import Path

import pytest

from coditect.integrity.evidence import evidence_for, evidence_of, quoted_extractions
from coditect.integrity.validate import validate
from coditect.knowledge.archive.format import open_archive
from coditect.knowledge.archive.importing import import_archive
from coditect.knowledge.review.replay import replay
from coditect.retrieve.lookup.live import LiveIndex
from coditect.schemas import Claim, SectionPart
from coditect.store.store import Store
from coditect.store.view import View, open_view
from coditect.testing.engine.memory import MemoryEngine
from coditect.tiers.claims.grounds import Grounds
from coditect.tiers.claims.versions import TODAY, wording_of
from coditect.verify.checker import check
from tests.golden.wordings import AT_ODDS, WORDINGS
from tests.golden.wordings.make import AGENTS, build_worded
from tests.integration.agents import CORPUS, opened
from tests.llm_server import llm_server
from tests.llm_server.answers_at_odds import finding_at_odds

EARLIER = sorted(WORDINGS.glob("tier4-*.jsonl.xz"))
CLOSED = "Whoever does what one of them says breaks the other."
"""What closed every conflict that a model read, up to wording 16."""

REWORDED = {"conflict": "read", "gap": "overdue", "standing": "overdue"}


def _stored(archive: Path) -> Store:
    store = Store(MemoryEngine())
    import_archive(store, open_archive(io.BytesIO(lzma.decompress(archive.read_bytes()))))
    return store


def _parts(view: View, claim: Claim) -> list[SectionPart]:
    return [view.section_by_id[each.section_id].content[each.part] for each in claim.citations]


def _reworded(view: View) -> list[Claim]:
    """The claims that a later wording words otherwise."""
    own = [each for each in view.claims.values() if any(each.recipe.get(a) == b for a, b in REWORDED.items())]
    return [*own, *(c for c in view.claims.values() if c.recipe.get("gap") == "stale" and "often" not in c.recipe)]


@pytest.mark.parametrize("archive", EARLIER, ids=lambda path: path.name)
def test_claims_of_every_wording_are_told_again_byte_for_byte(archive: Path) -> None:
    """The store is whole, no verdict drifts, and the checker supports what it supported."""
    store = _stored(archive)
    view = open_view(store, CORPUS)
    assert validate(store, CORPUS).findings == ()
    assert [each for each in replay(view).drift if each.changed] == []
    evidence = evidence_of(view)
    claims = _reworded(view)
    assert len(claims) == 6
    for claim in claims:
        assert evidence.restate(claim, _parts(view, claim)).text == claim.text
        assert check(claim, evidence).label == "supported"


@pytest.mark.parametrize("archive", EARLIER, ids=lambda path: path.name)
def test_wording_is_that_of_the_step_that_made_the_claims(archive: Path) -> None:
    """By today's wording none of these sentences is told; so a claim of the one wording does not pass for one of the other."""
    view = open_view(_stored(archive), CORPUS)
    step = view.store.derivations(CORPUS, [view.manifest.summary_derivation])[view.manifest.summary_derivation]
    assert f"tier4-{wording_of(step.code_version)}.jsonl.xz" == archive.name
    index = LiveIndex(view)
    todays = evidence_for(index, view.sections, Grounds(index, quoted_extractions(view, view.sections), wording=TODAY))
    for claim in _reworded(view):
        told = todays.restate(claim, _parts(view, claim))
        assert told.text
        assert told.text != claim.text
        assert told.refusal == ""
        assert check(claim, todays).label == "unsupported"


def test_first_archive_closes_every_conflict_alike() -> None:
    """It is what earlier releases said, and not what today's rendering gives."""
    view = open_view(_stored(WORDINGS / "tier4-16.jsonl.xz"), CORPUS)
    texts = [each.text for each in view.claims.values() if each.recipe.get("conflict") == "read"]
    assert [each.endswith(CLOSED) for each in texts] == [True, True, True]
    assert any(" is overdue: " in each.text for each in view.claims.values())
    assert any(" is overdue for review: " in each.text for each in view.claims.values())


def test_build_after_an_upgrade_words_anew_what_is_the_same_finding(tmp_path: Path) -> None:
    """The earlier generation stays as it was and is whole; the new one says what follows of each."""
    archive = io.BytesIO(lzma.decompress((WORDINGS / "tier4-16.jsonl.xz").read_bytes()))
    with (
        llm_server(model=finding_at_odds(AT_ODDS)) as server,
        opened(tmp_path, server.base_url, **AGENTS) as knowledge,
    ):
        knowledge.import_archive(archive)
        before = {each.finding_id: each.text for each in knowledge.view(CORPUS).claims.values()}
        build_worded(knowledge, tmp_path / "in")
        view = knowledge.view(CORPUS)
        assert view.generation == 2
        after = {each.finding_id: each for each in _reworded(view)}
        assert after.keys() <= before.keys()
        assert all(before[key] != claim.text for key, claim in after.items())
        closed = sorted(claim.text.rpartition("”. ")[2] for claim in after.values() if claim.recipe.get("conflict"))
        assert closed == [
            "One requires what the other forbids: nobody can keep both.",
            "They give different deadlines for one thing: “within four hours” and “within two days”.",
            "They give different periods for one thing: “90 days” and “30 days”.",
        ]
        assert all(view.verdicts[claim.claim_id].published for claim in after.values())
        for generation in (1, 2):
            assert knowledge.validate(CORPUS, as_of=generation).findings == ()
            drift = knowledge.replay(CORPUS, as_of=generation).drift
            assert [each for each in drift if each.changed] == []  # rules of today have another version
        kept = open_view(view.store, CORPUS, 1)
        assert {each.finding_id: each.text for each in kept.claims.values()} == before


@pytest.mark.parametrize(
    ("code", "wording"),
    [("staged/17 tier4/16 topics/2", 16), ("tier4/2", 2), ("a/13 tier4/18", 18), ("registers/7", TODAY), ("xtier4/3", TODAY)],
)  # fmt: skip
def test_wording_is_named_by_the_code_of_a_step(code: str, wording: int) -> None:
    """The number of its Tier 4, and of nothing else."""
    assert wording_of(code) == wording
