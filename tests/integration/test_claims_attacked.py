"""Published claims of rules after an attack: on the text, the recipe, both alike, the citations, a document's name, the evidence.

The sample corpus holds every form of claim. Each published one is attacked in each way, and the checker, asked as in a build, must
not publish what the evidence does not give.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from coditect.integrity.evidence import evidence_of
from coditect.sample import sample_folder
from coditect.schemas import Claim, ClaimSource, Section, SectionPart
from coditect.store.store import Store
from coditect.store.view import View, open_view
from coditect.testing.engine.memory import MemoryEngine
from coditect.verify.checker import Evidence, check
from tests.corpora import CORPUS, build_all, ingest_all
from tests.unit.tiers.corpora import rules_tell

FORMS = {
    "gap term", "statistic measure", "gap measure", "gap missing_document", "gap missing_place", "gap uncovered", "gap open",
    "gap empty", "gap overdue", "gap stale", "stricter count", "conflict deadline", "conflict duration", "conflict frequency",
    "conflict modality", "conflict version", "requirement obligation", "requirement prohibition",
}  # fmt: skip


@pytest.fixture(scope="module")
def view() -> View:
    """The sample corpus, built once: it is only read."""
    store = Store(MemoryEngine())
    ingest_all(store, sample_folder())
    build_all(store)
    return open_view(store, CORPUS)


@pytest.fixture(scope="module")
def evidence(view: View) -> Evidence:
    """What the checker is shown in a build."""
    return evidence_of(view)


def _claims(view: View) -> list[Claim]:
    return rules_tell(view)


def _form(claim: Claim) -> str:
    recipe = claim.recipe
    return f"{claim.claim_kind} {next(recipe[name] for name in ('figure', 'gap', 'conflict', 'requirement') if name in recipe)}"


def _with(claim: Claim, **changed: object) -> Claim:
    fields = {name: getattr(claim, name) for name in Claim.model_fields if name != "claim_id"}
    return Claim.create(**{**fields, **changed})


def _refused(attacks: Iterator[Claim], evidence: Evidence) -> int:
    """How many attacks there were; fails where one of them is published."""
    number = 0
    for attack in attacks:
        verdict = check(attack, evidence)
        assert not verdict.published, attack
        assert verdict.label == "unsupported", attack
        assert verdict.filter_reason, attack
        number += 1
    return number


def test_sample_has_every_form_of_claim_and_each_is_its_rendering(view: View, evidence: Evidence) -> None:
    """Otherwise the attacks below prove less than they say."""
    assert {_form(claim) for claim in _claims(view)} == FORMS
    for claim in _claims(view):
        told = evidence.restate(claim, [view.section_by_id[c.section_id].content[c.part] for c in claim.citations])
        assert (told.text, told.recipe, told.refusal) == (claim.text, claim.recipe, "")


def test_texts_that_were_changed_are_refused(view: View, evidence: Evidence) -> None:
    """Another number, a negation, a condition, a second sentence, a dropped word, another document's name."""
    names = sorted(version.name for version in view.documents.values())

    def attacks() -> Iterator[Claim]:
        for claim in _claims(view):
            text = claim.text
            for match in re.finditer(r"\d+", text):
                yield _with(claim, text=f"{text[: match.start()]}{int(match[0]) + 1}{text[match.end() :]}")
            yield _with(claim, text=f"Not: {text}")
            yield _with(claim, text=f"{text.rstrip('.')}, unless the parties agree otherwise.")
            yield _with(claim, text=f"{text} No further review is needed.")
            yield _with(claim, text=text.replace(" ", "  ", 1))
            yield _with(claim, text=" ".join(text.split()[:-1]))
            for name in (each for each in names if each in text):
                yield _with(claim, text=text.replace(name, names[names.index(name) - 1]))

    assert _refused(attacks(), evidence) > 400


def _forged(value: Any) -> Iterator[Any]:  # noqa: ANN401 - any JSON value
    """A JSON value with one leaf of it changed, in every place."""
    match value:
        case bool():
            yield not value
        case int() | float():
            yield value + 1
        case str():
            yield f"{value} too"
            yield ""
        case dict():
            for name, each in value.items():
                yield {other: kept for other, kept in value.items() if other != name}
                yield from ({**value, name: forged} for forged in _forged(each))
            yield {**value, "checked": True}
        case list():
            yield [*value, "x"]
            for at, each in enumerate(value):
                yield [*value[:at], *value[at + 1 :]]
                yield from ([*value[:at], forged, *value[at + 1 :]] for forged in _forged(each))


def test_recipes_that_were_changed_are_refused(view: View, evidence: Evidence) -> None:
    """Whatever leaf of a recipe another value stands in, what is missing or added: nothing in it is taken on trust."""
    attacks = (_with(claim, recipe=recipe) for claim in _claims(view) for recipe in _forged(claim.recipe) if recipe)
    assert _refused(attacks, evidence) > 700


def test_texts_and_recipes_that_were_changed_alike_are_refused(view: View, evidence: Evidence) -> None:
    """A number, or a word of the recipe, that is another one in the sentence and in the recipe alike."""

    def attacks() -> Iterator[Claim]:
        for claim in _claims(view):
            stored = json.dumps(claim.recipe, ensure_ascii=False)
            for said in {*re.findall(r"\d+(?:\.\d+)?", claim.text), *re.findall(r"[A-Za-z]{4,}", claim.text)}:
                other = str(int(float(said)) + 1) if said[0].isdigit() else f"{said}er"
                both = re.compile(rf"(?<!\w){re.escape(said)}(?!\w)")
                if both.search(stored):
                    recipe = json.loads(re.sub(both, other, stored))
                    yield _with(claim, text=both.sub(other, claim.text), recipe=recipe)

    assert _refused(attacks(), evidence) > 200


def test_citations_that_were_swapped_are_refused(view: View, evidence: Evidence) -> None:
    """The quotes of another claim of the same form, a quote less where each is told, none, and one that is not there."""
    of_form: dict[str, list[Claim]] = {}
    for claim in _claims(view):
        of_form.setdefault(_form(claim), []).append(claim)

    def attacks() -> Iterator[Claim]:
        for claims in of_form.values():
            for claim in claims:
                others = (each for each in claims if set(each.citations).isdisjoint(claim.citations))
                yield from (_with(claim, citations=other.citations) for other in others)
                yield _with(claim, citations=())
                yield _with(claim, extraction_ids=(*claim.extraction_ids, "extraction_of_another"))
                yield _with(claim, citations=(*claim.citations, ClaimSource(section_id="none", part=0)))
                if claim.claim_kind == "conflict":
                    yield _with(claim, citations=claim.citations[1:])

    assert _refused(attacks(), evidence) > 400


def test_claims_of_another_kind_or_topic_are_refused(view: View, evidence: Evidence) -> None:
    """A statistic is no gap, and no section is about something else."""

    def attacks() -> Iterator[Claim]:
        for claim in _claims(view):
            yield _with(claim, topic="something else")
            for kind in ("theme", "statistic", "gap", "conflict", "requirement"):
                if kind != claim.claim_kind:
                    yield _with(claim, claim_kind=kind)

    assert _refused(attacks(), evidence) > 300


def _renamed(part: SectionPart, names: list[str]) -> SectionPart:
    assert part.citation is not None
    other = names[names.index(part.citation.document_name) - 1]
    return part.model_copy(update={"citation": part.citation.model_copy(update={"document_name": other})})


def _misquoted(part: SectionPart, names: list[str]) -> SectionPart:
    return part.model_copy(update={"content": re.sub(r"\d+|\bshall\b|\bmust\b", "99", part.content) + " Not"})


def _unread(part: SectionPart, names: list[str]) -> SectionPart:
    assert part.citation is not None
    return part.model_copy(update={"citation": part.citation.model_copy(update={"extraction_ids": ()})})


@pytest.mark.parametrize("forge", [_renamed, _misquoted, _unread])
def test_quotes_that_were_forged_bear_nothing(
    view: View, evidence: Evidence, forge: Callable[[SectionPart, list[str]], SectionPart]
) -> None:
    """A section that names another document, quotes other words or leads to no Tier 1 item is no evidence."""
    names = sorted(version.name for version in view.documents.values())

    def changed(section: Section) -> Section:
        content = tuple(forge(part, names) if part.citation else part for part in section.content)
        return section.model_copy(update={"content": content})

    forged = replace(evidence, sections={key: changed(each) for key, each in evidence.sections.items()})
    assert _refused(iter(_claims(view)), forged) == len(_claims(view))


def test_values_that_tier_1_does_not_have_bear_no_conflict(view: View) -> None:
    """What Tier 2 says that a sentence fixes is believed only as far as Tier 1 says the same."""
    honest = evidence_of(view)
    for extraction_id, extraction in list(honest.extractions.items()):
        raised = [each.model_copy(update={"value": each.value + 1}) for each in extraction.measures]
        if raised:
            data = extraction.tier1_data.model_copy(update={"measures": tuple(raised)})
            honest.extractions[extraction_id] = extraction.model_copy(update={"tier1_data": data})  # type: ignore[index]
    told = (claim for claim in _claims(view) if claim.claim_kind == "conflict" and _form(claim) != "conflict modality")
    assert _refused(told, honest) > 5


def test_requirement_without_its_recipe_is_anybodys_sentence(view: View, evidence: Evidence) -> None:
    """It is then judged by its words, and a true one still holds."""
    claim = next(each for each in _claims(view) if each.claim_kind == "requirement")
    assert check(_with(claim, recipe={}), evidence).published
    turned = claim.text.replace(" shall ", " shall not ", 1).replace(" must ", " must not ", 1)
    assert turned != claim.text
    assert not check(_with(claim, recipe={}, text=turned), evidence).published


def test_rendering_twice_gives_the_same(view: View) -> None:
    """Two readers with nothing in common but the store render the same sentences."""
    first, second = evidence_of(view), evidence_of(view)
    for claim in reversed(_claims(view)):
        parts = [view.section_by_id[each.section_id].content[each.part] for each in claim.citations]
        assert first.restate(claim, parts) == second.restate(claim, parts)
