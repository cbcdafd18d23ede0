"""Who is compared with whom, what is stricter, what is superseded, and what dates say."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace

import pytest

from coditect.knowledge.derivation.profiles import profile_of
from coditect.schemas import Chunk, DeclaredProfile, DocumentVersion, Profile
from coditect.tiers.findings.conflicts.detection import find_conflicts
from coditect.tiers.findings.conflicts.likeness.circles import comparable_among
from coditect.tiers.findings.conflicts.opposed.told import StatementConflict
from coditect.tiers.findings.gaps import find_gaps
from coditect.tiers.findings.standing import Standings
from coditect.tiers.findings.timeliness import due_days, find_timely, held_day
from tests.unit.tiers.corpora import EXCEPTIONS, chunks_of, versions_of

Declared = Mapping[str, Mapping[str, object]]


def _standings(files: dict[str, str], declared: Declared | None = None, today: str = "") -> Standings:
    versions = versions_of(files)
    profiles: dict[str, Profile] = {}
    for document_id, version in versions.items():
        stated = DeclaredProfile.model_validate((declared or {}).get(version.name, {}))
        profiles[document_id] = profile_of(version, files[version.name], stated, "derivation_0")
    return Standings(versions, profiles, today)


def _document(title: str, text: str, control: str = "") -> str:
    return f"# {title}\n\n{control}\n\n## 1 Rules\n\n1.1 {text}\n"


def _relations(files: dict[str, str], declared: Declared | None = None) -> list[str]:
    return [each.relation for each in _found(files, declared)]


def _found(files: dict[str, str], declared: Declared | None = None) -> list[StatementConflict]:
    return list(find_conflicts(chunks_of(files), _standings(files, declared)))


QUARTERLY = "Access rights of all accounts shall be reviewed at least quarterly."
ANNUALLY = "Access rights of all accounts shall be reviewed annually."
TWO_YEARS = "Access rights of all accounts must be reviewed at least every two years."


def test_strangers_contracts_are_never_at_odds() -> None:
    """Two contracts are compared where they have two parties in common, and only there."""
    files = {"a.md": _document("Supply Agreement", QUARTERLY), "b.md": _document("Service Agreement", TWO_YEARS)}
    same = {"parties": ["Acme Inc", "Bolt LLC"]}
    strange = {"a.md": same, "b.md": {"parties": ["Acme Inc.", "Cone AG"]}}
    assert _relations(files, strange) == []
    assert _relations(files) == []
    assert _relations(files, {"a.md": same, "b.md": {"parties": ["Bolt", "Acme"]}}) == ["stricter"]


def test_an_agreement_is_not_held_against_its_amendment() -> None:
    """What the amendment says holds instead; against the amendment of another agreement, and of others, it is held."""
    files = {
        "base.md": _document("Hosting Agreement", QUARTERLY),
        "amendment.md": _document("Amendment No. 1 to the Hosting Agreement dated 1 March 2024", TWO_YEARS),
    }
    own = {"parties": ["Acme Inc", "Bolt LLC"], "role": "contract"}
    assert _relations(files, {"base.md": own, "amendment.md": own}) == []
    other = {**files, "amendment.md": _document("Amendment No. 1 to the Supply Agreement", TWO_YEARS)}
    assert _relations(other, {"base.md": own, "amendment.md": own}) == ["stricter"]
    standings = _standings(files, {"base.md": own, "amendment.md": own})
    first, second = sorted(standings.documents)
    assert not standings.are_comparable(first, second)
    assert standings.like(first) != standings.like(second)


@pytest.mark.parametrize("seed", range(60))
def test_who_is_comparable_among_many_is_who_is_of_every_two(seed: int) -> None:
    """Of contracts, policies, laws, guidance and others, of houses and of strangers, with parties, days and without."""
    drawn = random.Random(seed)  # noqa: S311 - any corpora, but the same ones
    roles = ["contract"] * drawn.choice((1, 4)) + ["policy"] * drawn.choice((0, 1, 5))
    roles += ["law", "guidance", "standard", "record", ""]
    names = ("Acme Inc", "Bolt LLC", "Cone AG", "—")[: drawn.randint(1, 4)]
    declared: dict[str, Mapping[str, object]] = {}
    for number in range(9):
        stated: dict[str, object] = {"parties": drawn.sample(names, drawn.randint(0, min(2, len(names))))}
        if role := drawn.choice(roles):
            stated["role"] = role
        if drawn.random() < 0.3:
            stated["effective_to"] = drawn.choice(("2025-12-31", "2027-12-31"))
        declared[f"{number}.md"] = stated
    files = {name: _document(drawn.choice(("Backup Guide", "ISO 27001", "Paper")), QUARTERLY) for name in declared}
    standings = _standings(files, declared, today="2026-06-01")
    known = sorted(standings.documents)
    if drawn.random() < 0.5:  # one of which nothing is known
        standings = replace(standings, profiles={each: standings.profiles[each] for each in known[1:]})
    alone = replace(standings)
    expected = {one: {two for two in known if alone.are_comparable(one, two)} for one in known}
    assert comparable_among(standings, known) == expected


def test_only_contract_of_unknown_parties_is_compared_with_the_paper_beside_it() -> None:
    """Nobody says whom either binds, and there is no other contract that it could be."""
    declared: Declared = {"contract.md": {"role": "contract", "parties": []}, "paper.md": {"role": "policy"}}
    standings = _standings(dict.fromkeys(declared, _document("Paper", QUARTERLY)), declared)
    one, other = sorted(standings.documents)
    assert comparable_among(standings, [one, other]) == {one: {other}, other: {one}}


def test_strangers_contracts_and_a_paper_are_not_compared_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is asked of pairs grows with those that may be comparable, and not with all that there are."""
    asked: list[tuple[str, str]] = []
    decide = Standings.are_comparable

    def counted(standings: Standings, first: str, second: str) -> bool:
        asked.append((first, second))
        return decide(standings, first, second)

    monkeypatch.setattr(Standings, "are_comparable", counted)
    strangers: Declared = {
        f"{n}.md": {"role": "contract", "parties": [f"Acme{n} Inc", f"Bolt{n} LLC"]} for n in range(40)
    }
    papers: Declared = {"paper.md": {"role": "policy", "parties": ["Acme7 Inc"]}, "note.md": {"role": "policy"}}
    files = dict.fromkeys([*strangers, *papers], _document("Paper", QUARTERLY))
    standings = _standings(files, {**strangers, **papers})
    near = comparable_among(standings, sorted(standings.documents))
    assert sum(map(len, near.values())) == 4  # the paper with its contract and with the note, both ways
    assert len(asked) == 2


def test_policy_that_asks_less_than_the_rule_above_it_is_in_conflict() -> None:
    """Whoever follows the policy falls short of the rule."""
    files = {"rule.md": _document("Access Rulebook", QUARTERLY), "policy.md": _document("Access Policy", TWO_YEARS)}
    assert _relations(files) == ["conflict"]


def test_policy_that_asks_more_than_the_rule_above_it_is_stricter() -> None:
    """ "Annually" fulfils "at least every two years"."""
    files = {"rule.md": _document("Access Rulebook", TWO_YEARS), "policy.md": _document("Access Policy", ANNUALLY)}
    assert _relations(files) == ["stricter"]


def test_rules_of_two_authors_are_not_compared_unless_somebody_is_bound_by_both() -> None:
    """Each rulebook speaks to its own circle; a manifest may say that two of them share it."""
    files = {"a.md": _document("Banking Rulebook", QUARTERLY), "b.md": _document("Fund Rulebook", TWO_YEARS)}
    assert _relations(files) == []
    firms = {"parties": ["authorised firms"]}
    assert _relations(files, {"a.md": firms, "b.md": firms}) == ["stricter"]


def test_contract_is_held_against_the_policies_of_the_house_that_is_a_party() -> None:
    """The only contract of a corpus is the house's; of several, those of a common party; a policy may name its own."""
    files = {
        "policy.md": _document("Notification Policy", "Customers shall be notified of a data breach within 72 hours."),
        "deal.md": _document(
            "Service Agreement", "The Supplier shall notify Customers of a data breach within 96 hours."
        ),
        "other.md": _document("Supply Agreement", "Nothing shall be delivered late."),
    }
    alone = {name: files[name] for name in ("policy.md", "deal.md")}
    assert _relations(alone) == ["conflict"]
    shared: Declared = {"deal.md": {"parties": ["Acme", "Bolt"]}, "other.md": {"parties": ["Acme", "Cone"]}}
    assert _relations(files, shared) == ["conflict"]
    strange: Declared = {"deal.md": {"parties": ["Ash", "Bolt"]}, "other.md": {"parties": ["Acme", "Cone"]}}
    assert _relations(files, strange) == []
    assert _relations(files, {**strange, "policy.md": {"parties": ["Bolt"]}}) == ["conflict"]


def test_practice_that_falls_short_is_in_conflict_and_records_bind_nobody() -> None:
    """A register is held against the policy; two registers are not held against each other."""
    register = _document("Control Register", "Access rights of all accounts are reviewed annually.")
    files = {"policy.md": _document("Access Policy", QUARTERLY), "register.md": register}
    assert _relations(files) == ["conflict"]
    assert _relations({"a.md": register, "b.md": _document("Audit Report", QUARTERLY)}) == []


def test_superseded_version_is_at_odds_with_nothing() -> None:
    """What the later version says differently is why there is one."""
    old = _document("Access Policy", TWO_YEARS, "Version: 1.0\nEffective date: 2024-01-01")
    new = _document("Access Policy", QUARTERLY, "Version: 2.0\nEffective date: 2026-01-01")
    assert _relations({"old.md": old, "new.md": new}) == []
    standings = _standings({"old.md": old, "new.md": new})
    (succession,) = standings.superseded.values()
    names = {each: version.name for each, version in standings.documents.items()}
    assert (names[succession.former], names[succession.successor]) == ("old.md", "new.md")


@pytest.mark.parametrize(
    ("today", "past"),
    [("2026-12-31", ["2013.md"]), ("2027-01-01", ["2013.md", "2020.md"]), ("", ["2013.md", "2020.md"])],
)
def test_edition_that_is_not_yet_in_force_has_taken_no_place(today: str, past: list[str]) -> None:
    """Until its day the former edition binds, and is at odds with none of its own editions; on no day all have come."""
    days = {"2013.md": "2013-03-26", "2020.md": "2020-01-01", "2027.md": "2027-01-01"}
    files = {
        name: _document("Access Review Rule", text)
        for name, text in zip(days, (ANNUALLY, TWO_YEARS, QUARTERLY), strict=True)
    }
    declared: dict[str, dict[str, object]] = {
        name: {"role": "policy", "effective_from": day} for name, day in days.items()
    }
    declared["2027.md"]["supersedes"] = ["2020.md"]
    standings = _standings(files, declared, today)
    assert [
        each.name
        for key, each in sorted(standings.documents.items(), key=lambda e: e[1].name)
        if standings.is_past(key)
    ] == past
    assert list(find_conflicts(chunks_of(files), standings)) == []


def test_document_that_says_so_supersedes_another_by_name_title_or_edition() -> None:
    """A manifest names the file; a document names a title, or an edition of its own."""
    first = _document("Access Policy", TWO_YEARS, "Version: 1.0")
    second = _document("Access Policy", QUARTERLY, "This policy supersedes version 1 of the Access Policy.")
    other = _document("Rights Standard", QUARTERLY)
    cases: list[tuple[str, Declared]] = [
        (second, {}),
        (other, {"b.md": {"supersedes": ["a.md"]}}),
        (other, {"b.md": {"supersedes": ["Access Policy"]}}),
    ]
    for later, declared in cases:
        files = {"a.md": first, "b.md": later}
        standings = _standings(files, declared)
        assert [standings.documents[each].name for each in standings.superseded] == ["a.md"]


def test_minutes_of_two_months_and_two_leases_are_no_versions_of_each_other() -> None:
    """What is called alike by its nature is not superseded by the next."""
    for title in ("Committee Meeting Minutes", "Office Lease Agreement"):
        files = {f"{day}.md": _document(title, ANNUALLY, f"Date: 2026-0{day}-01") for day in (1, 2)}
        assert not _standings(files).superseded


def test_documents_that_never_bind_at_one_time_are_not_compared() -> None:
    """One ends before the other begins; and what has expired by today binds nobody."""
    files = {"a.md": _document("Access Policy", QUARTERLY), "b.md": _document("Rights Policy", TWO_YEARS)}
    assert _relations(files) == ["stricter"]
    ended: Declared = {"a.md": {"effective_to": "2025-12-31"}, "b.md": {"effective_from": "2026-01-01"}}
    assert _relations(files, ended) == []
    expired: Declared = {"a.md": {"effective_to": "2025-12-31"}}
    assert _relations(files, expired) == ["stricter"]
    late = _standings(files, expired, today="2026-01-01")
    assert not find_conflicts(chunks_of(files), late)


def test_numbers_of_rules_are_no_versions() -> None:
    """ "GEN 2.4" is a rule; "TLS 1.2" is a version, and so is what is said to be one."""
    rules = {
        "a.md": _document("Conduct Policy", "Complaints shall be handled under GEN 2.4 by the conduct team."),
        "b.md": _document("Complaints Policy", "Complaints shall be handled under GEN 5.3 by the conduct team."),
    }
    assert _found(rules) == []
    versions = {
        name: text.replace("under GEN 2.4", "with TLS 1.2").replace("under GEN 5.3", "with TLS 1.3")
        for name, text in rules.items()
    }
    assert [each.kind for each in _found(versions)] == ["version"]
    marked = {
        name: text.replace("under GEN 2.4", "with ABC v2.4").replace("under GEN 5.3", "with ABC v5.3")
        for name, text in rules.items()
    }
    assert [each.kind for each in _found(marked)] == ["version"]


def test_equals_that_permit_and_prohibit_are_in_conflict_and_a_stricter_policy_is_not() -> None:
    """What a rule permits, a policy may prohibit; among equals nobody knows which holds."""
    may = "Employees may use a personal device to read customer records."
    must_not = "Employees must not use a personal device to read customer records."
    policies = {"a.md": _document("Device Policy", may), "b.md": _document("Records Policy", must_not)}
    assert _relations(policies) == ["conflict"]
    below = {"a.md": _document("Device Rulebook", may), "b.md": _document("Records Policy", must_not)}
    assert _relations(below) == ["stricter"]
    above = {"a.md": _document("Device Policy", may), "b.md": _document("Records Rulebook", must_not)}
    assert _relations(above) == ["conflict"]


@pytest.mark.parametrize(
    ("today", "kinds"),
    [
        ("", []),
        ("2025-12-31", ["not_yet"]),
        ("2026-01-01", []),
        ("2026-06-30", []),
        ("2026-07-01", ["overdue"]),
        ("2027-01-01", ["expired"]),
    ],
)
def test_dates_say_what_they_say_on_the_day(today: str, kinds: list[str]) -> None:
    """The first and the last day count; what has expired need not be reviewed."""
    files = {"a.md": _document("Access Policy", ANNUALLY)}
    dates = {"effective_from": "2026-01-01", "effective_to": "2026-12-31", "next_review": "2026-06-30"}
    assert [each.kind for each in find_timely(_standings(files, {"a.md": dates}, today))] == kinds


def test_day_that_is_held_changes_only_where_something_comes_or_passes() -> None:
    """Between two dates of the documents all days are one day; before all of them none is kept."""
    files = {"a.md": _document("Access Policy", ANNUALLY, "Report | Due on\nQ1 | 2026-03-31")}
    profiles = _standings(files, {"a.md": {"next_review": "2026-06-30"}}).profiles.values()
    days = ["2026-03-31", "2026-04-01", "2026-06-30", "2026-07-01", "2029-01-01"]
    assert [held_day(profiles, day) for day in days] == [None, None, None, "2026-07-01", "2026-07-01"]
    assert due_days("Due on: 2026-03-31\nheld on 2026-01-01\nexpires 2026-02-30\n") == ("2026-03-31",)


@pytest.mark.parametrize(
    ("first", "second", "editions"),
    [
        ("07 Secure development policy.md", "outsourced work.md", False),
        ("backup policy.md", "supplier policy.md", False),
        ("security/backup.md", "security/suppliers.md", False),
        ("security-policy-2021.md", "security-policy-2024.md", True),
        ("old/security.md", "new/security.md", True),
        ("security-old.md", "security_current.md", True),
        ("POL-7.md", "information security.md", True),
        ("Information Security Policy v1 signed.md", "isp.md", True),
        ("a.md", "b.md", True),
    ],
)
def test_papers_of_a_series_with_one_heading_are_no_editions(first: str, second: str, editions: bool) -> None:
    """A house's papers often begin with one line that is theirs all; what their files are called keeps them apart."""
    files = {
        first: _document("Information Security Policy", QUARTERLY, "Effective date: 2021-04-12"),
        second: _document("Information Security Policy", QUARTERLY, "Effective date: 2024-04-26"),
    }
    assert bool(_standings(files).superseded) is editions


def test_rows_of_a_superseded_document_are_not_overdue() -> None:
    """Nobody waits for what an old version announced."""
    files = {"old.csv": EXCEPTIONS, "new.md": _document("Access Policy", ANNUALLY)}
    chunks: list[Chunk] = chunks_of(files)
    versions: dict[str, DocumentVersion] = versions_of(files)
    cases: list[tuple[Declared, int]] = [({}, 1), ({"new.md": {"supersedes": ["old.csv"]}}, 0)]
    for declared, overdue in cases:
        standings = _standings(files, declared, today="2026-09-30")
        assert len(find_gaps(chunks, versions, standings)["overdue"]) == overdue
