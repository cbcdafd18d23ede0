"""Rendering: a claim is made of what its quotes and the corpus say, and of nothing that stands in its recipe."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from coditect.integrity.evidence import quoted_extractions
from coditect.schemas import Chunk, Claim, DocumentVersion, Extraction, Restatement, SectionPart, SelectedSentence
from coditect.store.live import LiveIndex
from coditect.store.view import View
from coditect.tiers.claims.grounds import Grounds
from coditect.tiers.claims.rendering import render, restate
from tests.unit.tiers.corpora import EXCEPTIONS, INCIDENTS, REGISTER, published, view_of

FILES = {**INCIDENTS, "register.csv": REGISTER, "exceptions.csv": EXCEPTIONS}

Forge = Callable[[SelectedSentence], dict[str, Any]]


@pytest.fixture(scope="module")
def view(tmp_path_factory: pytest.TempPathFactory) -> View:
    """The small corpus, built once: it is only read."""
    return view_of(tmp_path_factory.mktemp("rendering"), FILES)


@dataclass(frozen=True)
class _Forged:
    """A figure source whose Tier 2 somebody changed: every sentence gets what ``forge`` gives for it."""

    index: LiveIndex
    forge: Forge

    @property
    def view(self) -> _Forged:
        return self

    @property
    def documents(self) -> Mapping[str, DocumentVersion]:
        return self.index.documents

    def by_term(self, term: str) -> Sequence[Extraction]:
        return self.index.by_term(term)

    def documents_of_topic(self, topic: str) -> frozenset[str]:
        return self.index.documents_of_topic(topic)

    def chunks(self, document_id: str) -> Sequence[Chunk]:
        return [
            chunk.model_copy(
                update={
                    "selected_sentences": tuple(
                        sentence.model_copy(update=self.forge(sentence)) for sentence in chunk.selected_sentences
                    )
                }
            )
            for chunk in self.index.view.chunks(document_id)
        ]


def _parts(view: View, claim: Claim) -> list[SectionPart]:
    return [view.section_by_id[each.section_id].content[each.part] for each in claim.citations]


def _grounds(view: View, forge: Forge | None = None) -> Grounds:
    index = LiveIndex(view)
    return Grounds(_Forged(index, forge) if forge else index, quoted_extractions(view, view.sections))


def _told(view: View, kind: str, needle: str) -> Claim:
    return next(each for each in published(view, kind) if needle in each.text)


def test_rendering_is_the_claim_and_reads_no_result(view: View) -> None:
    """Results in the recipe may be gone or wrong: they are computed."""
    grounds = _grounds(view)
    for kind in ("theme", "statistic", "gap", "conflict", "requirement"):
        for claim in published(view, kind):
            recipe = {
                name: value for name, value in claim.recipe.items() if name not in ("result", "similarity", "values")
            }
            for given in (recipe, {**recipe, "result": {"documents": 99}}):
                told = render(claim.claim_kind, given, _parts(view, claim), grounds, claim.topic)
                assert (told.text, told.recipe, told.refusal) == (claim.text, claim.recipe, "")


@pytest.mark.parametrize(
    ("kind", "needle", "forge"),
    [
        ("gap", "has no “Evidence”", lambda s: {"empty": (*s.empty, "Owner", "Status")}),
        ("gap", "leaves a point open", lambda s: {"open_point": "To be written"}),
        ("gap", "Key Handling Standard", lambda s: {"documents": (*s.documents, "Crown Jewels Policy")}),
        ("conflict", "Deadlines differ", lambda s: {"measures": tuple(m.model_copy(update={"value": 1.0}) for m in s.measures)}),
        ("conflict", "Deadlines differ", lambda s: {"kinds": ("proposition",)}),
        ("conflict", "Deadlines differ", lambda s: {"extraction_ids": ()}),
        ("conflict", "Deadlines differ", lambda s: {"text": s.text.replace("hours", "days")}),
    ],
)  # fmt: skip
def test_sentences_of_tier_2_that_were_forged_bear_nothing(view: View, kind: str, needle: str, forge: Forge) -> None:
    """What is not printed in the sentence, or what Tier 1 does not have, is not believed."""
    claim = _told(view, kind, needle)
    assert restate(claim, _parts(view, claim), _grounds(view, lambda _: {})).text == claim.text
    told = restate(claim, _parts(view, claim), _grounds(view, forge))
    assert told == Restatement(refusal="a cited quote is not a sentence of its document, or says something else there")


def test_newest_date_is_that_of_the_corpus(view: View) -> None:
    """A claim that is overdue by an older event than the newest is not: "the newest date" is said of all documents."""
    claim = _told(view, "gap", "is overdue")
    rows = [part for part in view.sections for part in part.content if "Granted on: 2026-02-01" in part.content]
    older = [_parts(view, claim)[0], *rows[:1]]
    told = render("gap", {**claim.recipe, "as_of": "2026-02-01"}, older, _grounds(view), claim.topic)
    assert (told.text, told.refusal) == ("", "the cited quotes do not show it")


@pytest.mark.parametrize(
    ("kind", "recipe"),
    [
        ("theme", {}),
        ("theme", {"figure": "dreams"}),
        ("theme", {"figure": "coverage", "topic": 7}),
        ("statistic", {"figure": "coverage", "topic": "breach"}),
        ("gap", {"gap": "dreams"}),
        ("gap", {"figure": "measure", "kind": "deadline", "head": "this document"}),
        ("conflict", {"conflict": "deadline"}),
        ("conflict", {"conflict": "dreams", "head": "notifi"}),
        ("requirement", {"requirement": "permission", "action": "use a device"}),
        ("synthesis", {"figure": "coverage", "topic": "breach"}),
    ],
)
def test_recipes_that_are_not_known_render_nothing(view: View, kind: Any, recipe: dict[str, Any]) -> None:  # noqa: ANN401
    """Neither do known ones for claims of another kind."""
    claim = _told(view, "conflict", "Deadlines differ")
    told = render(kind, recipe, _parts(view, claim), _grounds(view), claim.topic)
    assert told.text == ""
    assert told.refusal


def test_reported_conflict_is_rendered_in_the_words_of_its_documents(view: View) -> None:
    """That they differ is a model's word, and a judge's to say; the sentence is still made of quotes."""
    claim = _told(view, "conflict", "Deadlines differ")
    parts, recipe = _parts(view, claim), {"conflict": "reported", "about": "speed", "by": "reducer/1"}
    told = render("conflict", recipe, parts, _grounds(view), "breach")
    assert told.text.startswith("On “breach”, documents differ: contract.md says “1.1 The Processor shall")
    assert told.recipe == recipe
    assert render("conflict", recipe, parts[:1], _grounds(view), "breach").refusal
