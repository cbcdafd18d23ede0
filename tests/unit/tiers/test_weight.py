"""What a claim weighs: its class of rules, its severity, its confidence, and what it is known by everywhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from coditect.errors import SchemaError
from coditect.schemas import BuildSettings, Claim
from coditect.store.view import View
from coditect.tiers.claims.precision import confidence_of, read_precision, rule_of, shipped_precision
from coditect.tiers.claims.severity import SEVERITIES
from tests.unit.tiers.corpora import INCIDENTS, TODAY, rules_tell, view_of

DUTY = "# {0}\n\n## 1 Access\n\n1.1 The access rights of all accounts {1} reviewed {2} by the owner.\n"


@pytest.fixture(scope="module")
def view(tmp_path_factory: pytest.TempPathFactory) -> View:
    """The small corpus, built once."""
    return view_of(tmp_path_factory.mktemp("weight"), INCIDENTS)


def _all(view: View) -> list[Claim]:
    return rules_tell(view)


def test_claim_says_its_rule_severity_and_confidence(view: View) -> None:
    """Every claim of a build has all three, and the confidence is that of its class by the shipped counts."""
    for claim in _all(view):
        assert claim.rule == rule_of(claim.claim_kind, claim.recipe) != ""
        assert claim.severity in SEVERITIES
        assert claim.confidence == confidence_of(claim.rule)


def test_claims_stand_by_severity_then_confidence(view: View) -> None:
    """What asks most stands first, and of two that ask as much the surer one."""
    weights = [(SEVERITIES.index(claim.severity or "information"), -(claim.confidence or 0)) for claim in _all(view)]
    assert weights == sorted(weights)
    assert len(set(weights)) > 2


@pytest.mark.parametrize(
    ("first", "second", "severity"),
    [
        (("Access Policy", "shall be"), ("Account Standard", "must be"), "high"),
        (("Access Policy", "shall be"), ("Account Standard", "should be"), "medium"),
        (("Access Policy", "shall be"), ("Minutes of the Access Committee", "are"), "medium"),
    ],
)
def test_conflict_weighs_as_much_as_its_documents_bind(
    tmp_path: Path, first: tuple[str, str], second: tuple[str, str], severity: str
) -> None:
    """Two mandatory duties are high; what is only recommended, or what is said to be done, can give way."""
    files = {
        "one.md": DUTY.format(*first, "no later than 30 days after they were granted"),
        "two.md": DUTY.format(*second, "within 90 days after they were granted"),
    }
    files = {name: text.replace("no later than", "within") for name, text in files.items()}
    found = rules_tell(view_of(tmp_path / "documents", files), "conflict")
    found += rules_tell(view_of(tmp_path / "documents", files), "stricter")
    assert found
    assert {claim.severity for claim in found if claim.claim_kind == "conflict"} <= {severity}
    assert {claim.severity for claim in found if claim.claim_kind == "stricter"} <= {"low"}


def test_gap_of_a_laws_own_references_is_low(tmp_path: Path) -> None:
    """A reference that leads out of the corpus is low; a point that a policy leaves open is medium."""
    text = "# Anti-Money Laundering Rulebook\n\n" + "".join(
        f"## {n} Rules\n\n{n}.1 The bank shall report under section {n} of FSMR to the manager.\n\n"
        for n in range(1, 15)
    )
    policy = "# Incident Policy\n\nThe manager shall report each incident.\n\nThe retention period is TBD.\n"
    view = view_of(tmp_path / "documents", {"AML_VER01.md": text, "policy.md": policy})
    gaps = {claim.rule: claim.severity for claim in rules_tell(view, "gap")}
    assert gaps["gap/absent_document"] == "low"
    assert gaps["gap/open"] == "medium"


def test_finding_is_known_by_the_same_id_in_every_corpus(tmp_path: Path) -> None:
    """The same documents tell the same findings in the same order under another corpus id; the items have ids of their own."""
    one = view_of(tmp_path / "documents", INCIDENTS)
    other = view_of(tmp_path / "documents", INCIDENTS, corpus_id="another")
    assert [(c.finding_id, c.text) for c in _all(one)] == [(c.finding_id, c.text) for c in _all(other)]
    assert len({claim.finding_id for claim in _all(one)}) == len(_all(one))
    assert not {claim.claim_id for claim in _all(one)} & {claim.claim_id for claim in _all(other)}
    parts = [[(s.topic, [p.content for p in s.content]) for s in view.sections] for view in (one, other)]
    assert parts[0] == parts[1]


def test_finding_outlives_a_document_that_has_nothing_to_do_with_it(tmp_path: Path) -> None:
    """A conflict keeps its id when the corpus grows, and another one when a cited word changes."""
    before = {c.finding_id for c in rules_tell(view_of(tmp_path / "a", INCIDENTS), "conflict")}
    more = {**INCIDENTS, "travel.md": "# Travel Rules\n\n1.1 Staff shall book trains by the travel desk.\n"}
    assert before <= {c.finding_id for c in rules_tell(view_of(tmp_path / "b", more), "conflict")}
    changed = {name: text.replace("24 hours", "36 hours") for name, text in INCIDENTS.items()}
    assert not before & {c.finding_id for c in rules_tell(view_of(tmp_path / "c", changed), "conflict")}


def test_claim_is_found_by_the_id_of_its_finding(view: View) -> None:
    """A finding's id leads to the claim of this generation."""
    claim = _all(view)[0]
    assert view.claim_by_finding[claim.finding_id] == claim


COUNTS = """
version = "precision/0"
[[counted]]
rule = "gap/open"
family = "policies"
read = 8
right = 7
useful = 6
"""


def test_precision_is_shrunk_by_how_few_were_read() -> None:
    """(right + 1) / (read + 2): one half where nobody has read any."""
    counts = read_precision(COUNTS)
    assert counts.confidence("gap/open") == 0.8
    assert counts.confidence("gap/stale") == 0.5


@pytest.mark.parametrize("wrong", ["right = 9", "useful = 8", "read = '8'"])
def test_precision_that_cannot_be_is_refused(wrong: str) -> None:
    """No more are right than were read, nor more useful than right; numbers are numbers."""
    name = wrong.partition(" ")[0]
    text = "\n".join(wrong if line.startswith(name) else line for line in COUNTS.splitlines())
    with pytest.raises(SchemaError):
        read_precision(text)


def test_shipped_precision_names_rules_that_there_are() -> None:
    """Every class that was read is one that claims can be of, and each family is counted once."""
    kinds = {"conflict", "stricter", "gap", "standing", "statistic", "grid", "theme", "requirement", "synthesis"}
    counted = shipped_precision().counted
    assert counted
    assert {each.rule.partition("/")[0] for each in counted} <= kinds
    assert len({(each.rule, each.family) for each in counted}) == len(counted)


def test_trivial_themes_are_counted_and_those_asked_for_are_told(tmp_path: Path) -> None:
    """A theme of a single word is trivial, unless the user gave it as a topic."""
    asked = view_of(tmp_path / "a", INCIDENTS, BuildSettings(today=TODAY, topics=("breach",)))
    assert [claim.topic for claim in rules_tell(asked, "theme")] == ["breach"]
    found = view_of(tmp_path / "a", INCIDENTS)
    trivial = found.summary.trivial or {}
    assert all(len(claim.topic.split()) > 1 for claim in rules_tell(found, "theme"))
    assert found.manifest.counts.get("trivial_claims", 0) == sum(trivial.values())


def test_empty_tiers_say_why(tmp_path: Path) -> None:
    """A corpus without headings, duties or figures has no sections and no claims, and its summary says why."""
    view = view_of(tmp_path / "calls", {"call.txt": "Good morning everybody. We had a nice quarter. Thank you.\n"})
    why = view.summary.empty or {}
    assert set(why) == {"sections", "claims"}
    assert "no document has any" in why["sections"]
    assert "no two documents that bind the same people differ" in why["sections"]
    assert why["claims"] == "claims are drawn from the quotes of sections, and there are none"
    assert "No sections: topics are named by headings" in view.summary.summary_text


def test_topics_are_never_list_markers(tmp_path: Path) -> None:
    """A heading that is a numeral, "iii" or "XIV", names no topic."""
    text = "# Rules\n\n## iii\n\nThe iii keeper shall lock the iii door.\n\n## XIV\n\nThe XIV keeper shall ring the XIV bell.\n"
    view = view_of(tmp_path / "documents", {f"{n}.md": text for n in "abc"})
    assert not {section.topic.casefold() for section in view.sections} & {"iii", "xiv"}
