"""What a mapping collection says of a crosswalk, field by field, and how it comes back."""

from __future__ import annotations

from typing import Any

import pytest

from coditect.reports.registers.mapping.properties import (
    NAMESPACE,
    properties,
    property_value,
    property_values,
)
from coditect.reports.registers.mapping.reading import read_mapping_collection
from coditect.reports.registers.mapping.resources import corpus_resource
from coditect.reports.registers.mapping.writing import mapping_collection, token
from coditect.schemas.crosswalk import ComparedFile, Crosswalk
from tests.unit.registers.test_writers import WALK

AT = "2026-01-02T03:04:05Z"


def written(found: Crosswalk) -> dict[str, Any]:
    """The one mapping of a crosswalk."""
    (mapping,) = mapping_collection(found, AT)["mapping-collection"]["mappings"]
    return dict(mapping)


def own(value: str, **more: str) -> dict[str, str]:
    """A property of ours named "a"."""
    return {"name": "a", "ns": NAMESPACE, "value": value, **more}


@pytest.mark.parametrize(
    ("value", "made"),
    [
        (None, []),
        ("", []),
        (0, [own("0")]),
        (0.25, [own("0.25")]),
        ("x", [own("x")]),
        ("x y", [own("x y")]),
        (" x", [own("see-remarks", remarks=" x")]),
        ("x\ny", [own("see-remarks", remarks="x\ny")]),
        ("see-remarks", [own("see-remarks", remarks="see-remarks")]),
    ],
)
def test_property_holds_any_text(value: str | float | None, made: list[dict[str, str]]) -> None:
    """One line as it is, everything else in its remarks; and it is read back; nothing at all is left out."""
    assert properties([("a", value)]) == made
    assert property_values({"props": made}, "a") == (() if value in (None, "") else (str(value),))


def test_properties_of_others_are_not_ours() -> None:
    """By name and namespace; what others say in remarks of their own is no value; the first of several is the value."""
    node = {
        "props": [
            {"name": "a", "value": "theirs"},
            {"name": "b", "ns": NAMESPACE, "value": "other"},
            {"name": "a", "ns": NAMESPACE, "value": "see-remarks"},
            {"name": "a", "ns": NAMESPACE, "value": "plain", "remarks": "a note"},
        ]
    }
    assert property_values(node, "a") == ("see-remarks", "plain")
    assert property_value(node, "a") == "see-remarks"
    assert property_value(node, "c") == property_value({}, "a") == ""


def test_what_nothing_answers_is_named_as_a_gap() -> None:
    """By requirement: one that has a sentence for any of its parts is none; ids that are no tokens are told as printed."""
    again = WALK.rows[0].model_copy(update={"part_id": "r1.b", "evidence": (), "label": "no evidence"})
    hard = WALK.rows[1].model_copy(update={"requirement_id": "9(a)"})
    made = written(WALK.model_copy(update={"rows": (*WALK.rows, again, hard)}))
    assert made["target-gap-summary"]["unmapped-controls"] == [{"with-ids": [token("9(a)"), "r2"]}]
    assert [each for each in made["props"] if each["name"] == "unmapped"] == [
        {"name": "unmapped", "ns": NAMESPACE, "class": token("9(a)"), "value": "9(a)"}
    ]
    assert [len(each["sources"]) for each in made["maps"]] == [1] * 5
    assert [each["sources"][0]["type"] for each in made["maps"]] == ["statement", "statement", *["control"] * 3]
    assert "target-gap-summary" not in written(WALK.model_copy(update={"rows": WALK.rows[:1]}))


def test_a_probability_is_told_where_there_is_one() -> None:
    """Also one of nought."""
    row = WALK.rows[0]
    evidence = tuple(row.evidence[0].model_copy(update={"probability": each}) for each in (0.0, None))
    first, second = written(WALK.model_copy(update={"rows": (row.model_copy(update={"evidence": evidence}),)}))["maps"]
    assert first["confidence-score"] == {"percentage": 0.0}
    assert "confidence-score" not in second


def test_a_crosswalk_comes_back_as_it_went() -> None:
    """Rows with several sentences, with none, and what was asked of people."""
    assert read_mapping_collection(mapping_collection(WALK, AT)) == WALK


A, B = (ComparedFile(name=each, media_type="text/markdown", raw_sha256="0" * 64) for each in ("a b/ä.md", "b.md"))


@pytest.mark.parametrize("files", [(), (A,), (A, B)])
def test_files_of_both_sides_come_back(files: tuple[ComparedFile, ...]) -> None:
    """One is linked, several are listed; crosswalks of releases that told of none have neither, and are read."""
    found = WALK.model_copy(update={"framework_files": files, "files": files[::-1]})
    document = mapping_collection(found, AT)
    for resource in document["mapping-collection"]["back-matter"]["resources"]:
        assert [("rlinks" in resource), ("base64" in resource)] == [len(files) == 1, len(files) > 1]
    assert read_mapping_collection(document) == found


def test_a_link_is_an_address() -> None:
    """With what no address may hold written as percentages, and the file's hash."""
    resource = corpus_resource("u", "t", (A,))
    (link,) = resource["rlinks"]
    assert link["href"] == "a%20b/%C3%A4.md"
    assert link["hashes"] == [{"algorithm": "SHA-256", "value": "0" * 64}]


def test_overviews_of_groups_are_no_unmapped_controls() -> None:
    """They are told beside them: OSCAL takes ids of controls alone there."""
    rows = tuple(
        WALK.rows[1].model_copy(update={"requirement_id": each, "part_id": part})
        for each, part in (
            ("pm", "pm_ovw"),
            ("GV", "GV_overview"),
            ("pm-1", "pm-1_smt"),
            ("x", "x_ovw"),
            ("x", "x_smt"),
        )
    )
    made = written(WALK.model_copy(update={"rows": rows}))
    assert made["target-gap-summary"]["unmapped-controls"] == [{"with-ids": ["pm-1", "x"]}]
    assert [each["value"] for each in made["props"] if each["name"] == "unmapped"] == ["GV", "pm"]
    assert "target-gap-summary" not in written(WALK.model_copy(update={"rows": rows[:2]}))


@pytest.mark.parametrize(
    ("identity", "plain"),
    [("ac-2", True), ("_a.b", True), ("AC-2_smt.a", True), ("2.1", False), ("a b", False), ("", False)],
)
def test_ids_are_tokens_of_their_own(identity: str, plain: bool) -> None:
    """What begins with a letter and has no blanks stays; everything else gets one that no other has."""
    assert (token(identity) == identity) == plain
    assert token(identity) != token(f"{identity}(")
