"""Rendering: a claim is made of what its quotes and the corpus say, and of nothing that stands in its recipe."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from coditect.documents.profile.citations import OutwardReference
from coditect.integrity.evidence import quoted_extractions
from coditect.retrieve.lookup.live import LiveIndex
from coditect.schemas import (
    BuildSettings,
    Chunk,
    Citation,
    Claim,
    DocumentVersion,
    Extraction,
    Profile,
    Restatement,
    SectionPart,
    SelectedSentence,
)
from coditect.store.view import View
from coditect.tiers.claims.grounds import Grounds
from coditect.tiers.claims.rendering import render, restate
from tests.unit.tiers.corpora import EXCEPTIONS, INCIDENTS, REGISTER, TODAY, rules_tell, view_of

RULES = "".join(f"## {n} Rules\n\n{n}.1 Staff shall follow rule {n} of the incident manager.\n\n" for n in range(1, 7))
FILES = {
    **INCIDENTS,
    "backup-standard.md": INCIDENTS["backup-standard.md"]
    + "\n1.4 Exceptions follow section 8.1 of the Rules Policy.\n",
    "rules-policy.md": f"# Rules Policy\n\n{RULES}6.2 This policy shall be reviewed at least annually.\n",
    "register.csv": REGISTER,
    "exceptions.csv": EXCEPTIONS,
}
"""Every form of claim but modality and framework conflicts, which the sample corpus has."""

Forge = Callable[[SelectedSentence], dict[str, Any]]


@pytest.fixture(scope="module")
def view(tmp_path_factory: pytest.TempPathFactory) -> View:
    """The small corpus, built once: it is only read."""
    settings = BuildSettings(today=TODAY, topics=("review", "breach", "exceptions", "backups"))
    return view_of(tmp_path_factory.mktemp("rendering"), FILES, settings)


@dataclass(frozen=True)
class _Forged:
    """A figure source whose Tier 2 somebody changed: every sentence gets what ``forge`` gives for it."""

    index: LiveIndex
    forge: Forge
    day: str = ""

    @property
    def view(self) -> _Forged:
        return self

    @property
    def documents(self) -> Mapping[str, DocumentVersion]:
        return self.index.documents

    @property
    def profiles(self) -> Mapping[str, Profile]:
        return self.index.profiles

    @property
    def today(self) -> str:
        return self.day or self.index.today

    @property
    def outward_references(self) -> Sequence[OutwardReference]:
        return self.index.outward_references

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
    return next(each for each in rules_tell(view, kind) if needle in each.text)


def test_rendering_is_the_claim_and_reads_no_result(view: View) -> None:
    """Results in the recipe may be gone or wrong: they are computed."""
    grounds = _grounds(view)
    for kind in ("theme", "statistic", "gap", "conflict", "requirement"):
        for claim in rules_tell(view, kind):
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


def _quote(view: View, words: str) -> tuple[SectionPart, dict[str, Extraction]]:
    """A quote of the sentence that has some words, with the Tier 1 items behind it."""
    chunk, sentence = next(
        (chunk, each) for chunk in view.all_chunks() for each in chunk.selected_sentences if words in each.text
    )
    citation = Citation(
        chunk_id=chunk.chunk_id,
        extraction_ids=sentence.extraction_ids,
        document_id=chunk.document_id,
        version_id=chunk.version_id,
        document_name=view.documents[chunk.document_id].name,
        char_start=sentence.char_start,
        char_end=sentence.char_end,
    )
    behind = {each.extraction_id: each for each in view.extractions(chunk.document_id)}
    return SectionPart(type="extractive", content=sentence.text, citation=citation), behind


@pytest.mark.parametrize(("day", "told"), [("2026-05-31", False), ("2026-06-01", True)])
def test_overdue_is_told_by_the_day_of_the_build(view: View, day: str, told: bool) -> None:
    """What is due today is not overdue; tomorrow it is, by the same quote."""
    claim = _told(view, "gap", "a date that has passed")
    index = LiveIndex(view)
    grounds = Grounds(_Forged(index, lambda _: {}, day), quoted_extractions(view, view.sections))
    found = render("gap", claim.recipe, _parts(view, claim), grounds, claim.topic)
    assert (found.text == claim.text) == told
    assert found.refusal == ("" if told else "the cited quotes do not show it")


def test_newest_date_is_that_of_the_corpus(view: View) -> None:
    """An "out of date" by an event that is no longer the newest is not rendered, however true both quotes are."""
    claim = _told(view, "gap", "is out of date")
    due = _parts(view, claim)[0]
    for words, as_of, told in (
        ("Last tested: 2026-08-02", "2026-08-02", False),
        ("Granted on: 2026-09-16", "2026-09-16", True),
    ):
        event, behind = _quote(view, words)
        grounds = Grounds(LiveIndex(view), {**quoted_extractions(view, view.sections), **behind})
        assert grounds.cited(event) is not None
        found = render("gap", {**claim.recipe, "as_of": as_of}, [due, event], grounds, claim.topic)
        assert (found.text == claim.text) == told
        assert found.refusal == ("" if told else "the cited quotes do not show it")


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


@pytest.mark.parametrize(
    ("kind", "needle", "reason"),
    [
        ("theme", "documents speak", "a cited document does not speak to it"),
        ("statistic", "say how often they are reviewed", "a cited quote does not fix it"),
        ("gap", "not say how often", "a cited quote does not fix it"),
        ("gap", "Key Handling Standard", "a cited quote does not refer to it"),
        ("gap", "refers to section 8.1", "the cited quote does not refer to it"),
        ("gap", "No deadline of the", "the cited quote sets no such deadline in an agreement"),
        ("gap", "a date that has passed", "the cited quotes do not show it"),
        ("conflict", "Deadlines differ", "the cited quotes do not differ in it"),
        ("requirement", "notify", "the cited quote asks for nothing of the kind"),
    ],
)
def test_quotes_of_something_else_bear_nothing(view: View, kind: str, needle: str, reason: str) -> None:
    """True figures and recipes beside a quote that has nothing to do with them: the reason says so."""
    claim = _told(view, kind, needle)
    other, behind = _quote(view, "Backups shall be encrypted")
    grounds = Grounds(LiveIndex(view), {**quoted_extractions(view, view.sections), **behind})
    parts = [other, *_parts(view, claim)[1:]]
    assert restate(claim, parts, grounds).refusal == reason


def test_conflict_of_one_document_with_itself_is_refused(view: View) -> None:
    """Two quotes are two sides only where two documents speak."""
    claim = _told(view, "conflict", "Deadlines differ")
    first = _parts(view, claim)[0]
    for parts in ([first], [first, first]):
        told = restate(claim, parts, _grounds(view))
        assert told.refusal == "a conflict needs a quote of each of two documents or more"
