"""OSCAL assessment results: read by the models of another project, with every quote, and the figures of the report."""

from __future__ import annotations

from typing import Any

from trestle.oscal.assessment_results import AssessmentResults

from coditect.reports.editions.assessment import assessment_results
from coditect.reports.model import AuditReport
from coditect.schemas.crosswalk import Crosswalk, CrosswalkEvidence, CrosswalkRow, FamilyCoverage
from tests.unit.reports.reports import HEX, claim, report
from tests.unit.reports.test_annex import decided

TEXT = "The owner shall review access."


def read(made: dict[str, Any]) -> dict[str, Any]:
    """The one result, after another project's models have read the whole."""
    AssessmentResults.model_validate(made["assessment-results"])
    (result,) = made["assessment-results"]["results"]
    return dict(result)


def made_report() -> AuditReport:
    """A gap whose risk is accepted, a conflict, a theme."""
    return report(
        (TEXT, "It may\nwait."),
        claims=(
            claim(1, "gap", "A gap.", (1, 1), severity="high"),
            claim(2, "conflict", "Two\ndiffer.", (1, 2), severity="medium"),
            claim(3, "theme", "A theme.", ()),
        ),
        decisions=(decided("claim_1", "First Signer"),),
    )


def crosswalk() -> Crosswalk:
    """A part that is met, and one that nothing speaks to; their ids are no tokens."""
    evidence = CrosswalkEvidence(
        label="meets", probability=0.93, held=0.9, reason="the same duty", item_id="extraction_1", document="policy.md",
        version_id="version_1", text=TEXT, char_start=100, char_end=130,
    )  # fmt: skip
    parts: dict[str, Any] = {"family": "F", "title": "Review", "document": "rule.md", "char_start": 0, "char_end": 4}
    return Crosswalk(
        framework_corpus="rules", framework_generation=3, corpus_id="demo", generation=1, method="crosswalk/1",
        coverage=(FamilyCoverage(family="F", parts=2, labels={"meets": 1, "no evidence": 1}),),
        rows=(
            CrosswalkRow(requirement_id="ac-2", part_id="ac-2_smt.a", text="Review.", label="meets", evidence=(evidence,), **parts),
            CrosswalkRow(requirement_id="1002.9(a)", part_id="1002.9(a)(1)", text="Tell.", label="no evidence", **parts),
        ),
        orphans=(),
    )  # fmt: skip


def test_every_finding_is_an_observation_with_its_quotes_and_their_files() -> None:
    """Verbatim, once each, with offsets and the file's hash; a finding without quotes has no evidence."""
    made = assessment_results(made_report())
    result = read(made)
    gap, conflict, theme = result["observations"]
    assert [each["description"] for each in result["observations"]] == ["A gap.", "Two\ndiffer.", "A theme."]
    (evidence,) = gap["relevant-evidence"]
    assert evidence["description"] == TEXT
    assert {each["name"]: each["value"] for each in evidence["props"]} == {
        "version-id": "version_1",
        "characters": "100-130",
        "place": "4.1, page 2",
        "sha256": HEX,
    }
    resources = {f"#{each['uuid']}": each for each in made["assessment-results"]["back-matter"]["resources"]}
    assert resources[evidence["href"]]["rlinks"][0]["hashes"] == [{"algorithm": "SHA-256", "value": HEX}]
    assert len(conflict["relevant-evidence"]) == 2
    assert "relevant-evidence" not in theme
    assert [each["types"] for each in result["observations"]] == [["finding"], ["finding"], ["historic"]]
    assert result["reviewed-controls"]["control-selections"][0]["include-all"] == {}
    assert "findings" not in result


def test_risks_are_open_until_somebody_accepts_them() -> None:
    """An accepted risk names who, when and until when; the date is the risk's deadline."""
    accepted, open_ = read(assessment_results(made_report()))["risks"]
    assert (accepted["status"], accepted["deadline"]) == ("deviation-approved", "2026-04-30T23:59:59Z")
    assert (
        "Decided by First Signer on 2026-02-01 until 2026-04-30: Known, and mended by spring" in accepted["description"]
    )
    assert open_["status"] == "open"
    assert "deadline" not in open_
    assert open_["title"] == "Two differ."


def test_a_crosswalk_makes_findings_of_parts_of_requirements() -> None:
    """Satisfied is what a sentence asks; what nothing speaks to is not; ids become tokens, and the printed ones stay."""
    result = read(assessment_results(made_report(), crosswalk()))
    met, absent = result["findings"]
    assert met["target"]["status"] == {"state": "satisfied", "reason": "pass", "remarks": "The documents: meets."}
    assert met["target"]["target-id"] == "ac-2_smt.a"
    observations = {each["uuid"]: each for each in result["observations"]}
    (related,) = met["related-observations"]
    assert observations[related["observation-uuid"]]["relevant-evidence"][0]["description"] == TEXT
    assert absent["target"]["status"]["state"] == "not-satisfied"
    assert "related-observations" not in absent
    assert {"name": "part", "value": "1002.9(a)(1)"}.items() <= absent["props"][2].items()
    controls = result["reviewed-controls"]["control-selections"][0]["include-controls"]
    assert controls[0] == {"control-id": "ac-2"}
    assert len(controls) == 2


def test_same_report_same_document_and_other_builds_other_ids() -> None:
    """Ids come of the build and the part, the time only where OSCAL asks for it."""
    one = made_report()
    assert assessment_results(one, crosswalk()) == assessment_results(one, crosswalk())
    other = one.model_copy(update={"build_id": "build_" + "cd" * 20})
    ids = [{each["uuid"] for each in read(assessment_results(every))["observations"]} for every in (one, other)]
    assert not ids[0] & ids[1]


def test_file_names_are_escaped_where_a_link_stands() -> None:
    """A space is no character of a link."""
    one = made_report()
    document = one.documents[0].model_copy(update={"name": "all of it/policy 1.md", "title": ""})
    made = assessment_results(one.model_copy(update={"documents": (document,)}))
    read(made)
    resource = made["assessment-results"]["back-matter"]["resources"][1]
    assert resource["rlinks"][0]["href"] == "all%20of%20it/policy%201.md"
    assert resource["title"] == "all of it/policy 1.md"
