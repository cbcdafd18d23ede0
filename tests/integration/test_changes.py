"""Changes between generations of a corpus, and the work list of what rests on them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from coditect.compose import open_knowledge
from coditect.errors import NotFound, UsageError
from coditect.knowledge.service import Knowledge
from coditect.schemas import BuildSettings, CorpusChanges
from coditect.settings import Settings

CORPUS = "bank"
REGULATION = """# Incident Regulation

## 1 Reporting

1.1 A payment institution shall notify the authority of a major incident within 72 hours of its detection.

1.2 A payment institution shall keep a register of incidents for five years.

## 2 Staff

2.1 A payment institution shall train its staff every two years.
"""
POLICY = """# Incident Policy

## 1 Reporting

1.1 The incident manager notifies the authority of a major incident within 72 hours of its detection.

1.2 The register of incidents is kept for five years in the vault.

1.3 Visitors are registered at the reception.
"""


AMENDED = (
    REGULATION.replace("within 72 hours", "within 24 hours")
    .replace("## 2 Staff", "## 2 Tests\n\n2.1 Drills are voluntary.\n\n## 3 Staff")
    .replace("2.1 A payment institution shall train", "3.1 A payment institution shall train")
)


@pytest.fixture
def knowledge(tmp_path: Path) -> Iterator[Knowledge]:
    """Two generations: in the second the deadline of the regulation is shorter, a section was put in, and a document came."""
    folder = tmp_path / "documents"
    folder.mkdir()
    (folder / "regulation.md").write_text(REGULATION)
    (folder / "policy.md").write_text(POLICY)
    with open_knowledge(Settings(store=f"lmdb://{tmp_path}/store", cache=tmp_path / "cache", jobs=1)) as opened:
        opened.ingest(CORPUS, [folder])
        opened.build(CORPUS, BuildSettings())
        signed = next(
            row for row in opened.register(CORPUS) if "72 hours" in row.text and row.document == "regulation.md"
        )
        opened.review(CORPUS, signed.item_id, decision="accept", by="A. Officer", meaning="read against the regulation")
        (folder / "regulation.md").write_text(AMENDED)
        (folder / "annex.md").write_text("# Annex\n\nThe forms stand here.\n")
        opened.ingest(CORPUS, [folder])
        opened.build(CORPUS, BuildSettings())
        yield opened


def _of(changes: CorpusChanges, name: str) -> list[str]:
    (document,) = (each for each in changes.documents if each.document == name)
    return [each.kind for each in document.changes]


def test_changes_of_two_generations_with_their_work_list(knowledge: Knowledge) -> None:
    """The amended duty leads, with the policy that says the same and the decision that was signed on it."""
    changes = knowledge.changes(CORPUS)
    assert (changes.before, changes.after) == (1, 2)
    assert [(each.document, each.status) for each in changes.documents] == [
        ("annex.md", "added"),
        ("regulation.md", "changed"),
    ]
    assert changes.unchanged_documents == 1
    (amended,) = (c for d in changes.documents for c in d.changes if c.kind == "amended")
    assert {each.field for each in amended.fields} == {"deadline"}
    assert amended.before is not None
    assert amended.after is not None
    for side, generation in ((amended.before, 1), (amended.after, 2)):
        view = knowledge.view(CORPUS, generation)
        (document_id,) = (d for d, v in view.documents.items() if v.name == "regulation.md")
        assert view.text(document_id)[side.char_start : side.char_end] == side.text
    heaviest = [each for each in changes.affected if amended.number in each.changes]
    assert {"statement", "decision"} <= {each.kind for each in heaviest}
    statements = [each.text for each in changes.affected if each.kind == "statement"]
    assert statements == [
        "1.1 The incident manager notifies the authority of a major incident within 72 hours of its detection."
    ]
    assert [each.weight for each in changes.affected] == sorted(
        (each.weight for each in changes.affected), reverse=True
    )


def test_renumbered_provisions_are_no_changed_duties(knowledge: Knowledge) -> None:
    """The section that moved down is told once, and nothing rests on it that would have to be looked at."""
    changes = knowledge.changes(CORPUS, documents=["regulation.md"])
    assert "renumbered" in _of(changes, "regulation.md")
    (document,) = changes.documents
    assert not any(each.duty == "changed" for each in document.changes if each.kind in ("renumbered", "moved"))


def test_generation_and_itself_do_not_differ(knowledge: Knowledge) -> None:
    """The same state twice."""
    changes = knowledge.changes(CORPUS, before=2, after=2)
    assert (changes.documents, changes.affected, changes.unchanged_documents) == ((), (), 3)


def test_two_documents_of_one_generation_are_held_against_each_other(knowledge: Knowledge) -> None:
    """Two editions under names of their own."""
    changes = knowledge.changes_between(CORPUS, "regulation.md", "policy.md")
    (document,) = changes.documents
    assert (document.document, document.former) == ("policy.md", "regulation.md")
    assert document.changes


def test_editions_do_not_rest_on_each_other(knowledge: Knowledge, tmp_path: Path) -> None:
    """What is compared is not what somebody has to look at: the earlier edition says the same, and is no policy."""
    edition = tmp_path / "editions"
    edition.mkdir()
    (edition / "regulation-2.md").write_text(AMENDED.replace("within 24 hours", "within 12 hours"))
    knowledge.ingest(CORPUS, [edition])
    knowledge.build(CORPUS, BuildSettings())
    changes = knowledge.changes_between(CORPUS, "regulation.md", "regulation-2.md")
    assert {each.document for each in changes.affected if each.kind == "statement"} == {"policy.md"}


def test_states_that_are_not_there_are_refused(knowledge: Knowledge) -> None:
    """Each with what is wrong and the way out."""
    with pytest.raises(NotFound, match="no earlier generation"):
        knowledge.changes(CORPUS, after=1)
    with pytest.raises(UsageError, match="neither a generation nor a day"):
        knowledge.changes(CORPUS, before="yesterday")
    with pytest.raises(NotFound, match="nothing was built by then") as caught:
        knowledge.changes(CORPUS, before="1999-01-01")
    assert "first generation or a later one: " in str(caught.value.hint)
    with pytest.raises(NotFound, match="no document is called so") as caught:
        knowledge.changes(CORPUS, documents=["nothing.md"])
    assert caught.value.hint
    assert knowledge.changes(CORPUS, before=1, after="2999-12-31").after == 2


RULES = """# Payment Rules

1. A payment institution shall notify the authority of a major incident within 72 hours of its detection.
"""
HOUSE = """# Incident Policy

Owner: Head of Security
Next review: 2027-03-01

1.1 The incident manager notifies the authority of a major incident within 72 hours of its detection.

1.2 The bank's policy on incidents requires that:
"""
PROCEDURE = """# Incident Procedure

Owner: Head of Security of incidents

1. The incident manager notifies the authority of a major incident within 72 hours of its detection by telephone.
"""
ROLES = """documents:
  - document: rules.md
    role: {rules}
  - document: house.md
    role: policy
  - document: procedure.md
    role: procedure
"""


@pytest.mark.parametrize(("role", "expected"), [("law", {"procedure.md"}), ("policy", {"procedure.md", "rules.md"})])
def test_what_binds_more_does_not_rest_on_a_policy(tmp_path: Path, role: str, expected: set[str]) -> None:
    """A changed policy puts its procedure on the list, and a law only where it is none."""
    folder = tmp_path / "documents"
    folder.mkdir()
    for name, text in (("rules.md", RULES), ("house.md", HOUSE), ("procedure.md", PROCEDURE)):
        (folder / name).write_text(text)
    (folder / "corpus.yaml").write_text(ROLES.format(rules=role))
    with open_knowledge(Settings(store=f"lmdb://{tmp_path}/store", cache=tmp_path / "cache", jobs=1)) as opened:
        opened.ingest(CORPUS, [folder])
        opened.build(CORPUS, BuildSettings())
        (folder / "house.md").write_text(HOUSE.replace("72 hours", "24 hours"))
        opened.ingest(CORPUS, [folder])
        opened.build(CORPUS, BuildSettings())
        listed = [each for each in opened.changes(CORPUS).affected if each.kind == "statement"]
    assert {each.document for each in listed} == expected
    assert not [each.text for each in listed if "Owner" in each.text]


def test_lead_ins_and_lines_of_document_control_follow_from_nothing(knowledge: Knowledge, tmp_path: Path) -> None:
    """Neither is on the list, whatever words they share with what changed."""
    folder = tmp_path / "documents"
    (folder / "policy.md").write_text(
        POLICY.replace("# Incident Policy\n", "# Incident Policy\n\nOwner: Incident Manager\n")
        + "\n1.4 The bank says of a register of incidents and of its notification:\n"
    )
    for regulation in (AMENDED, AMENDED.replace("24 hours", "12 hours")):
        (folder / "regulation.md").write_text(regulation)
        knowledge.ingest(CORPUS, [folder])
        knowledge.build(CORPUS, BuildSettings())
    listed = [each.text for each in knowledge.changes(CORPUS).affected if each.kind == "statement"]
    assert (
        "1.1 The incident manager notifies the authority of a major incident within 72 hours of its detection."
        in listed
    )
    assert not [each for each in listed if "Owner" in each or each.endswith(":")]


def test_nothing_rests_on_a_line_of_document_control_that_changed(knowledge: Knowledge, tmp_path: Path) -> None:
    """A new edition and a new day of approval call for nothing; what they stand above still does."""
    folder = tmp_path / "documents"
    (folder / "register.csv").write_text("No,Incident,Approved on\n1,Approved edition of the regulation,2031-02-01\n")
    head = "# Incident Regulation\n\nEdition: 2\n\nApproved on: 1 February 2031\n\n"
    for regulation in (head + AMENDED, head.replace("2", "3") + AMENDED.replace("24 hours", "12 hours")):
        (folder / "regulation.md").write_text(regulation)
        knowledge.ingest(CORPUS, [folder])
        knowledge.build(CORPUS, BuildSettings())
    found = knowledge.changes(CORPUS)
    (document,) = found.documents
    control = {
        each.number for each in document.changes if each.before and each.before.text.startswith(("Edition", "Approved"))
    }
    assert control
    assert found.affected
    assert not [each for each in found.affected if control & set(each.changes)]
    assert all("its words come near" in each.reason for each in found.affected if each.kind == "statement")
