"""Tier 4: what is claimed of a corpus, in which words, and with which figures."""

from __future__ import annotations

from pathlib import Path

import pytest

from coditect.errors import Unsupported
from coditect.retrieve.lookup.live import LiveIndex
from coditect.schemas import BuildSettings
from coditect.store.view import View
from coditect.tiers.findings.counts import count, label_of
from tests.unit.tiers.corpora import EXCEPTIONS, INCIDENTS, REGISTER, rules_tell, view_of

FILES = {**INCIDENTS, "register.csv": REGISTER, "exceptions.csv": EXCEPTIONS}


@pytest.fixture(scope="module")
def view(tmp_path_factory: pytest.TempPathFactory) -> View:
    """The small corpus, built once: it is only read."""
    return view_of(tmp_path_factory.mktemp("claims"), FILES)


def _texts(view: View, kind: str) -> list[str]:
    return [claim.text for claim in rules_tell(view, kind)]


def test_claims_on_a_conflict_set_all_values_side_by_side(view: View) -> None:
    """One sentence tells the subject, each value, and the document that it stands in."""
    assert _texts(view, "conflict") == [
        "Deadlines differ for “personal data breach” (notify): within 24 hours in contract.md, within 72 hours in "
        "incident-policy.md, within 7 days in notice.md."
    ]


@pytest.mark.parametrize(
    "text",
    [
        "backup-standard.md refers to “Key Handling Standard”, which is not in the corpus.",
        "register.csv, row “Control: C-4 | Title: Malware” leaves a point open: “Owner: TBD”.",
        "register.csv, row “Control: C-3 | Title: Logs” has no “Evidence”, but “Status: Effective”; "
        "most rows of the table have one.",
        "exceptions.csv, row “Exception: E-1 | Reason: Display” has a date that has passed: “Expires on: 2026-05-31” "
        "and “Status: Open”.",
        "register.csv, row “Control: C-2 | Title: Media” is out of date: “Frequency of test: Annually” and "
        "“Last tested: 2023-05-02”, but the newest date at which exceptions.csv reports something done is 2026-09-16.",
        "No deadline of the 3 policies, standards and procedures answers to contract.md: “The Processor shall forward "
        "every request of a data subject within 2 business days of receipt.”",
    ],
)
def test_claims_on_gaps_say_what_is_missing_and_where(view: View, text: str) -> None:
    """Each kind of gap is one plain sentence with the words of the document in quotation marks."""
    assert text in _texts(view, "gap")


def test_claims_on_requirements_begin_with_their_document_and_quote_it(view: View) -> None:
    """A requirement names its document and gives its own words."""
    texts = _texts(view, "requirement")
    assert texts
    assert all(": “" in text and text.endswith("”") for text in texts)


def test_claims_are_few_for_a_topic_and_not_repeated(view: View) -> None:
    """No sentence of a document is claimed twice as a requirement."""
    texts = _texts(view, "requirement")
    assert len(set(texts)) == len(texts)


def test_figures_counted_again_are_those_of_the_claims(view: View) -> None:
    """Every stored result is what its recipe gives now."""
    index = LiveIndex(view)
    for claim in view.claims.values():
        if "figure" in claim.recipe:
            recipe = {name: value for name, value in claim.recipe.items() if name != "result"}
            assert count(recipe, index) == claim.recipe["result"]


def test_figures_on_review_have_policies_as_their_base(tmp_path: Path) -> None:
    """How often documents review themselves is counted among policies, standards and procedures, and the others are named."""
    files = {
        f"{n}-policy.md": f"# Policy {n}\n\n1.1 This policy shall be reviewed at least annually.\n" for n in range(3)
    }
    files["d-standard.md"] = "# D Standard\n\n1.1 Keys shall be long.\n"
    files["report.md"] = "# Report\n\nThis report is long. Nothing is said of reviews.\n"
    view = view_of(tmp_path / "documents", files)
    assert _texts(view, "statistic") == [
        "3 of 4 policies, standards and procedures say how often they are reviewed: annually (3)."
    ]
    assert "1 of 4 policies, standards and procedures does not say how often it is reviewed: d-standard.md." in _texts(
        view, "gap"
    )


def test_figures_of_an_unknown_recipe_are_refused(view: View) -> None:
    """Nothing is counted by a recipe that is not known."""
    with pytest.raises(Unsupported, match="unknown recipe"):
        count({"figure": "dreams"}, LiveIndex(view))


@pytest.mark.parametrize(
    ("kind", "value", "printed", "label"),
    [
        ("frequency", 4.0, None, "quarterly"),
        ("frequency", 4.06, {"every 90 days": 1}, "quarterly"),
        ("frequency", 0.5, None, "every two years"),
        ("deadline", 48.0, {"2 business days": 2, "48 hours": 1}, "2 business days"),
        ("deadline", 72.0, None, "72 hours"),
        ("duration", 8766.0, None, "1 year"),
        ("version", 1.3, None, "1.3"),
    ],
)
def test_label_of_a_value_is_what_readers_say(
    kind: str, value: float, printed: dict[str, int] | None, label: str
) -> None:
    """A value is told in the words that documents use most, and a frequency in the usual adverb."""
    assert label_of(kind, value, printed) == label


def test_given_topics_become_sections_of_their_own(tmp_path: Path) -> None:
    """A user's topic is matched by stems: "incident reporting" finds who shall report incidents."""
    files = {"p.md": "# Incident Policy\n\n## 1 Duties\n\n1.1 Staff shall report every incident within one hour.\n"}
    view = view_of(tmp_path / "documents", files, BuildSettings(topics=("incident reporting", "quantum physics")))
    topics = [section for section in view.sections if section.section_kind == "topic"]
    assert [section.topic for section in topics] == ["incident reporting"]
    assert topics[0].content[0].content.endswith("Staff shall report every incident within one hour.")


def test_build_without_synthesis_has_none(tmp_path: Path) -> None:
    """A gate of 0 leaves quotes alone."""
    view = view_of(tmp_path / "documents", FILES, BuildSettings(max_synthesis_ratio=0.0))
    assert view.sections
    assert all(part.type == "extractive" for section in view.sections for part in section.content)


CONTRACTS = {
    f"deal-{n}.md": f'# Supply Agreement\n\nThis Agreement is made by and between Acme Inc. ("Acme") and {name} ("Buyer").\n\n'
    f"## 1 Payment\n\n1.1 Buyer shall pay each invoice within {days} days of receipt.\n"
    for n, (name, days) in enumerate((("Bolt LLC", 30), ("Cone Ltd", 30), ("Dart GmbH", 30), ("Ernst AG", 60)))
}


def test_unlike_contracts_are_laid_side_by_side_and_never_disagree(tmp_path: Path) -> None:
    """What most contracts fix, and who deviates, is one claim that can be counted again; nobody's terms contradict a stranger's."""
    view = view_of(tmp_path / "contracts", CONTRACTS)
    assert _texts(view, "grid") == [
        "4 of 4 contracts fix a deadline to pay, 3 of them 30 days; otherwise 60 days in deal-3.md."
    ]
    (claim,) = rules_tell(view, "grid")
    assert claim.recipe["result"]["rows"] == [
        ["30 days", ["deal-0.md", "deal-1.md", "deal-2.md"]],
        ["60 days", ["deal-3.md"]],
    ]
    assert _texts(view, "conflict") == _texts(view, "stricter") == _texts(view, "statistic") == []


def test_contracts_without_a_usual_value_are_not_told(tmp_path: Path) -> None:
    """Where every contract has its own, none deviates, and strangers need not agree: it is counted among what is trivial."""
    files = {name: text.replace("30 days", f"{10 * n + 10} days") for n, (name, text) in enumerate(CONTRACTS.items())}
    view = view_of(tmp_path / "contracts", files)
    assert _texts(view, "grid") == []
    assert _texts(view, "statistic") == []
    assert (view.summary.trivial or {})["figures that put different matters together"] == 1


def test_stricter_and_superseded_are_claims_of_their_own(tmp_path: Path) -> None:
    """The stricter is no conflict, and the former version of a policy is told with the words of the later one."""
    text = (
        "# {0}\n\nVersion {1}.\n\n{2}\n\n## 1 Rules\n\n1.1 The access rights of all accounts shall be reviewed {3}.\n"
    )
    files = {
        "old.md": text.format("Access Policy", 1, "", "at least every three years"),
        "new.md": text.format("Access Policy", 2, "This policy supersedes version 1 of the Access Policy.", "annually"),
        "rule.md": text.format("Access Rulebook", 1, "", "at least every two years"),
    }
    view = view_of(tmp_path / "versions", files)
    (stricter,) = _texts(view, "stricter")
    assert "every two years in rule.md, annually in new.md; no conflict" in stricter
    assert _texts(view, "conflict") == []
    assert _texts(view, "standing") == ["old.md is superseded by new.md: “supersedes version 1 of the Access Policy”."]
