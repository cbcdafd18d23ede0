"""OSCAL assessment results: read by the models of another project, with every quote, and the figures of the report."""

from __future__ import annotations

from typing import Any

import pytest
from trestle.oscal.assessment_results import AssessmentResults

from coditect.reports.editions.assessment import assessment_results
from coditect.reports.model import AuditReport
from coditect.schemas import ClaimKind
from coditect.schemas.crosswalk import Crosswalk, CrosswalkEvidence, CrosswalkLabel, CrosswalkRow, FamilyCoverage
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


def properties(node: dict[str, Any]) -> dict[str, str]:
    """Ours, by name."""
    return {each["name"]: each["value"] for each in node.get("props", ())}


def test_properties_say_only_what_is_known() -> None:
    """A severity, where there is one; the title of a finding is its topic, else its kind."""
    base = made_report()
    first = base.claims[0].model_copy(
        update={"topic": " ", "finding_id": "finding_1", "rule": "", "support_score": 0.5}
    )
    result = read(assessment_results(base.model_copy(update={"claims": (first, *base.claims[1:])})))
    gap, conflict, theme = result["observations"]
    assert (gap["title"], conflict["title"]) == ("gap", "access")
    assert properties(gap) == {
        "kind": "gap", "severity": "high", "label": "supported", "support": "0.5000", "confidence": "0.9000",
        "claim-id": "claim_1", "finding-id": "finding_1", "checker": "deterministic/1",
    }  # fmt: skip
    assert "severity" not in properties(theme)
    assert [properties(each).get("severity") for each in result["risks"]] == ["high", "medium"]
    assert len(gap["subjects"]) == len(gap["relevant-evidence"]) == 1


def test_quotes_are_those_that_a_finding_cites() -> None:
    """The second passage is not the first, and a citation that leads nowhere is none."""
    base = made_report()
    conflict = claim(1, "conflict", "Two differ.", (2,))
    lost = conflict.citations[0].model_copy(update={"passage": None})
    cited = conflict.model_copy(update={"citations": (lost, *conflict.citations)})
    (observation,) = read(assessment_results(base.model_copy(update={"claims": (cited,)})))["observations"]
    assert [each["description"] for each in observation["relevant-evidence"]] == ["It may\nwait."]


def test_only_conflicts_gaps_and_standings_are_risks() -> None:
    """The title is cut behind 200 characters; decisions of others, and those that are not in force, change nothing."""
    kinds: tuple[ClaimKind, ...] = (
        "conflict",
        "stricter",
        "standing",
        "gap",
        "statistic",
        "grid",
        "theme",
        "synthesis",
        "requirement",
    )
    claims = tuple(claim(n, kind, f"{n}" * 201, (1,)) for n, kind in enumerate(kinds, 1))
    expired = decided("claim_1", "A").model_copy(update={"state": "expired"})
    dismissed = decided("claim_3", "B")
    dismissed = dismissed.model_copy(
        update={"review": dismissed.review.model_copy(update={"decision": "supported", "until": None})}
    )
    early = decided("claim_4", "C")
    made = report(
        claims=claims, decisions=(expired, dismissed, early, decided("claim_4", "D"), decided("claim_9", "E"))
    )
    risks = read(assessment_results(made))["risks"]
    assert [each["title"] for each in risks] == ["1" * 200, "3" * 200, "4" * 200]
    assert [each["status"] for each in risks] == ["open", "open", "deviation-approved"]
    assert [properties(each) for each in risks] == [
        {},
        {"decision": "supported", "decided-by": "B", "decided-at": "2026-02-01T00:00:00Z"},
        {"decision": "accept_risk", "decided-by": "D", "decided-at": "2026-02-01T00:00:00Z"},
    ]
    assert "deadline" not in risks[1]
    assert risks[1]["description"].endswith("Decided by B on 2026-02-01: Known, and mended by spring")


def test_evidence_of_a_crosswalk_leads_to_the_document_of_its_version() -> None:
    """Without a probability none is told, without a reason its label; of a version that the report has not no file."""
    base = made_report()
    other = base.documents[0].model_copy(
        update={"document_id": "document_0", "version_id": "version_0", "name": "o.md"}
    )
    walk = crosswalk()
    (first,) = walk.rows[0].evidence
    evidence = (
        first,
        first.model_copy(update={"item_id": "b", "probability": None, "reason": "", "reviewed_by": "A. Auditor"}),
        first.model_copy(update={"item_id": "c", "version_id": "version_9"}),
    )
    rows = (walk.rows[0].model_copy(update={"evidence": evidence, "title": " "}), *walk.rows[1:])
    made = assessment_results(
        base.model_copy(update={"documents": (other, *base.documents)}), walk.model_copy(update={"rows": rows})
    )
    one, two, three = read(made)["observations"][3:]
    files = {f"#{each['uuid']}": each for each in made["assessment-results"]["back-matter"]["resources"]}
    assert files[one["relevant-evidence"][0]["href"]]["title"] == "Policy"
    assert "href" not in three["relevant-evidence"][0]
    assert (one["title"], one["description"], two["description"]) == ("ac-2", "the same duty", "meets")
    assert properties(one) == {"label": "meets", "probability": "0.9300", "item-id": "extraction_1"}
    assert properties(two) == {"label": "meets", "item-id": "b", "reviewed-by": "A. Auditor"}
    titled = read(assessment_results(base, walk))["observations"][3]
    assert titled["title"] == "Review"


@pytest.mark.parametrize("label", ["meets", "stricter", "partly", "looser", "contradicts", "mentions", "no evidence"])
def test_only_what_asks_all_of_a_part_satisfies_it(label: CrosswalkLabel) -> None:
    """Whatever else the documents say is another reason."""
    walk = crosswalk()
    row = walk.rows[0].model_copy(update={"label": label})
    (finding,) = read(assessment_results(made_report(), walk.model_copy(update={"rows": (row,)})))["findings"]
    satisfied = label in ("meets", "stricter")
    assert finding["target"]["status"] == {
        "state": "satisfied" if satisfied else "not-satisfied",
        "reason": "pass" if satisfied else "other",
        "remarks": f"The documents: {label}.",
    }


def test_ids_tell_frameworks_apart_and_nothing_compared_is_told() -> None:
    """A crosswalk without rows compared nothing; its description still names the framework."""
    one = made_report()
    empty = crosswalk().model_copy(update={"rows": ()})
    made = read(assessment_results(one, empty))
    assert made["reviewed-controls"]["control-selections"] == [
        {"description": "No framework was compared.", "include-all": {}}
    ]
    assert "requirements of rules, generation 3" in made["description"]
    plain = read(assessment_results(one))
    assert plain["description"].endswith("nobody has reviewed what names no reviewer.")
    assert made["uuid"] != plain["uuid"]
    assert plain["title"] == "Generation 1 of Demo"
