"""A checker with a model: what it gives names the model, is given again with it, and says so where it is not configured."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from coditect.integrity.evidence import evidence_for
from coditect.integrity.validate import validate
from coditect.knowledge.building import summary as upper
from coditect.knowledge.building.pipeline import build
from coditect.knowledge.review.check_text import check_text
from coditect.knowledge.review.replay import replay
from coditect.models.port import ModelSources
from coditect.retrieve.lookup.live import LiveIndex
from coditect.schemas import Section, Source
from coditect.store.store import Store
from coditect.store.view import open_view
from coditect.tiers.claims.grounds import Grounds
from coditect.verify.checker import Evidence, model_of
from coditect.verify.support.meaning import FindMeaning, Meaning, meaning_from
from tests.corpora import CORPUS, clock, ingest_all
from tests.integration.test_verify_replay import PARAPHRASE, with_paraphrase
from tests.integration.test_verify_review import SETTINGS
from tests.unit.verify.support.test_contexts import Reading

MODELS = ModelSources(embedder=Reading)


@pytest.fixture
def weighed(memory: Store, documents: Path) -> Store:
    """A store whose summary has a claim in other words that was weighed with a model, as where one proposes claims."""
    ingest_all(memory, documents)

    def shown(index: LiveIndex, sections: Sequence[Section], grounds: Grounds, meaning: FindMeaning) -> Evidence:
        return evidence_for(index, sections, grounds, meaning_from(MODELS))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(upper, "compose_claims", with_paraphrase)
        patch.setattr(upper, "evidence_for", shown)
        build(memory, CORPUS, SETTINGS, clock=clock, jobs=1)
    return memory


def test_a_verdict_names_the_model_and_is_given_again_with_it(weighed: Store) -> None:
    """Its weights and its model stand in the record, and a replay with the model says the same to the last byte."""
    view = open_view(weighed, CORPUS)
    named = [each for each in view.verdicts.values() if model_of(each)]
    assert [view.claims[each.claim_id].text for each in named] == [PARAPHRASE]
    assert named[0].weights_version.startswith(f"contexts/2:{Reading().card.model_id} ")
    report = replay(view, meaning=meaning_from(MODELS))
    assert report.drift == ()
    assert report.weights_version == named[0].weights_version
    assert validate(weighed, CORPUS, meaning=meaning_from(MODELS)).clean


def test_without_the_model_a_replay_says_which_is_missing(weighed: Store) -> None:
    """No verdict is given with other weights in its place."""
    report = replay(open_view(weighed, CORPUS))
    assert [(each.text, each.cause) for each in report.drift] == [(PARAPHRASE, "no verdict")]
    assert Reading().card.model_id in report.drift[0].detail


def test_without_the_model_a_validation_counts_what_it_did_not_check(weighed: Store) -> None:
    """It is no finding: nothing stored is wrong."""
    report = validate(weighed, CORPUS)
    assert report.clean
    told = f"claims judged with {Reading().card.model_id}, which is not configured (not checked again)"
    assert report.checked[told] == 1


def test_a_text_is_checked_with_the_model(weighed: Store) -> None:
    """The report names it; with a model that no weights were fitted with it names none."""
    view = open_view(weighed, CORPUS)

    def find(sentence: str) -> list[Source]:
        return []

    for model, named in ((Reading(), f":{Reading().card.model_id} "), (Reading("other@0123456789ab"), "words/")):
        report = check_text(view, find, PARAPHRASE, meaning=Meaning.of(model))
        assert named in report.weights_version
