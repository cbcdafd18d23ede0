"""Which of many documents bind the same people is told of kinds of documents, and is what every two of them say."""

from __future__ import annotations

import random

import pytest

from coditect.knowledge.derivation.profiles import profile_of
from coditect.schemas import DeclaredProfile
from coditect.tiers.findings.conflicts.likeness.circles import (
    circles_among,
    comparable_among,
    families_among,
    kinds_among,
)
from coditect.tiers.findings.required.coverage import _bound_with
from coditect.tiers.findings.standing import Standings
from tests.effort import times
from tests.unit.tiers.corpora import versions_of

SEEDS = times(40, least=16)

ROLES = ("law", "rule", "guidance", "standard", "policy", "procedure", "contract", "record")
PARTIES = (
    "Acme Inc",
    "Bolt LLC",
    "Cone AG",
    "Dorn plc",
    "Elm SE",
    "Fir Ltd",
    "Gorse NV",
    "Holm AS",
    "Iris SA",
    "Juno BV",
)
DAYS = ("2024-01-01", "2025-01-01", "2026-01-01", "2027-01-01")


def _drawn(seed: int, count: int = 24) -> Standings:
    """Documents of drawn roles, parties and days; some of which are of no known profile, or supersede another one."""
    draw = random.Random(seed)  # noqa: S311 - drawn for a test
    roles = ["contract"] if draw.random() < 0.3 else draw.choices(ROLES, k=draw.randint(1, 4))
    is_dated = draw.random() < 0.5
    files, profiles = {}, {}
    for number in range(count):
        files[f"{number}.md"] = f"# Paper {number}\n\n1.1 Staff shall wait.\n"
    versions = versions_of(files)
    for document_id, version in versions.items():
        if roles != ["contract"] and draw.random() < 0.1:
            continue
        stated: dict[str, object] = {"role": draw.choice(roles)}
        if draw.random() < 0.6:
            stated["parties"] = draw.sample(PARTIES, draw.randint(0, 3))
        if is_dated and draw.random() < 0.5:
            first, last = sorted(draw.sample(DAYS, 2))
            stated |= {"effective_from": first} | ({"effective_to": last} if draw.random() < 0.5 else {})
        if draw.random() < 0.1:
            stated["supersedes"] = [draw.choice(sorted(files))]
        profiles[document_id] = profile_of(
            version, files[version.name], DeclaredProfile.model_validate(stated), "derivation_0"
        )
    return Standings(versions, profiles, draw.choice(("", "2025-06-01")))


@pytest.mark.parametrize("seed", range(SEEDS))
def test_circles_are_what_every_two_documents_say(seed: int) -> None:
    """Each pair is asked by itself, of standings that remember nothing; families are what such pairs link."""
    standings, ids = _drawn(seed), sorted(_drawn(seed).documents)
    pairs = {(one, two) for one in ids for two in ids if one != two and standings._are_comparable(*sorted((one, two)))}
    asked = _drawn(seed)
    assert {(one, two) for one in ids for two in ids if asked.are_comparable(one, two)} == pairs
    found = comparable_among(_drawn(seed), ids)
    assert {(one, two) for one, others in found.items() for two in others} == pairs
    circles = circles_among(_drawn(seed), ids)
    assert [bool(circles[each]) for each in ids] == [bool(found[each]) for each in ids]
    kinds, comparable = kinds_among(_drawn(seed), ids)
    told = {divmod(each, len(ids)) for each in comparable}
    assert {(a, b) for a in ids for b in ids if a != b and told & {(kinds[a], kinds[b]), (kinds[b], kinds[a])}} == pairs
    families = families_among(_drawn(seed), ids)
    assert {(one, two) for own in families for one in own for two in own if one != two} == _linked(pairs)
    assert families == sorted(map(sorted, families))


@pytest.mark.parametrize("seed", range(SEEDS))
def test_contracts_that_bind_with_documents_of_a_house_are_those_of_every_two(seed: int) -> None:
    """Contracts of one kind are asked once, also where some are among the documents of the house themselves."""
    standings, ids = _drawn(seed), sorted(_drawn(seed).documents)
    draw = random.Random(-seed)  # noqa: S311 - drawn for a test
    normative = {each for each in ids if draw.random() < 0.3}
    contracts = [each for each in ids if draw.random() < 0.7]
    expected = {one for one in contracts if any(standings.are_comparable(one, each) for each in normative)}
    assert _bound_with(normative, contracts, _drawn(seed)) == expected


def _linked(pairs: set[tuple[str, str]]) -> set[tuple[str, str]]:
    """Pairs of documents that are linked directly or over others."""
    near: dict[str, set[str]] = {}
    for one, two in pairs:
        near.setdefault(one, set()).add(two)
    found = set()
    for one in near:
        seen, waiting = {one}, [one]
        while waiting:
            others = near[waiting.pop()] - seen
            seen |= others
            waiting += others
        found |= {(one, two) for two in seen if two != one}
    return found


def test_drawn_standings_hold_what_is_compared() -> None:
    """The draws above have families of several documents, documents apart, editions, and documents that end."""
    drawn = [_drawn(seed) for seed in range(SEEDS)]
    families = [families_among(each, sorted(each.documents)) for each in drawn]
    assert any(len(each) > 1 for each in families)
    assert any(sum(map(len, each)) < len(s.documents) for each, s in zip(families, drawn, strict=True))
    assert any(each._editions for each in drawn)
    assert any(each._ends for each in drawn)
    assert any(len({each.like(d) for d in each.documents}) < len(each.documents) // 2 for each in drawn)
