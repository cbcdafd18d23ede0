"""Builds in which the reducer reads documents for what is missing, and the validator what would be published of findings."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from coditect.knowledge.derivation.report import BuildReport
from coditect.knowledge.model_roles.missing import whole
from coditect.schemas import BuildSettings, Claim, Verdict
from tests.integration.agents import CORPUS, claims_of, folder_of, opened, require_verbatim
from tests.llm_server import llm_server
from tests.llm_server.answers import Reply, Respond, findings, respond, structured
from tests.llm_server.answers_reading import fenced, schema_of

DOCUMENTS = {
    "keys.md": """# Key Policy

Owner: Head of Security

The porter shall keep a register of all keys. Whoever loses a key follows the steps of Annex D.

The retention period is TBD. The Lock Marshal decides on copies of keys.
""",
    "checks.md": """# Check Procedure

The fire doors of the depot were certified, valid until 30 June 2026. The porter shall test the alarm every week.

The certificate of the lift is valid until 31 March 2027.
""",
}
REFERENCE = ("Annex D", "reference")
ROLE = ("The Lock Marshal", "role")
PASSED, AHEAD = ("30 June 2026", "dated"), ("valid until 31 March 2027", "dated")
TODAY = "2026-11-28"
Claims = list[tuple[Claim, Verdict]]


def _model(*gaps: tuple[str, str], denied: Mapping[str, tuple[str, bool]] | None = None) -> Respond:
    """A model that reports these words as gaps of these kinds, and says of findings with some words (verdict, useful)."""

    def answer(request: dict[str, Any]) -> Reply:
        properties = schema_of(request)["properties"]
        if "gaps" in properties:
            told = [json.loads(line) for line in fenced(request, "statements")[0].text.split("\n")]
            found = [
                {"n": each["n"], "kind": kind, "words": words, "beside": 0, "about": "what is missing"}
                for each in told
                for words, kind in gaps
                if words in each.get("text", "")
            ]
            return structured({"gaps": found})
        if "findings" not in properties:
            return respond(request)
        body = json.loads(findings(request)["blocks"][0]["text"])
        asked = [json.loads(line) for line in fenced(request, "findings")[0].text.split("\n")]
        for one, said in zip(asked, body["findings"], strict=True):
            for words, (verdict, useful) in (denied or {}).items():
                if words in one["claim"]:
                    said.update(verdict=verdict, useful=useful, reason="Because of that.")
        return structured(body)

    return answer


def _noting(model: Respond) -> tuple[Respond, list[dict[str, Any]]]:
    """The same model, and what it is asked about gaps."""
    asked: list[dict[str, Any]] = []

    def answer(request: dict[str, Any]) -> Reply:
        if "gaps" in schema_of(request)["properties"]:
            asked.append(request)
        return model(request)

    return answer, asked


def _built(
    folder: Path,
    base_url: str,
    *,
    today: str = TODAY,
    documents: Mapping[str, str] = DOCUMENTS,
    **settings: Any,  # noqa: ANN401 - settings of any kind
) -> tuple[BuildReport, Claims]:
    chosen: dict[str, Any] = {"agents": ("reducer", "validator"), "hierarchical_chunks_enabled": False, **settings}
    with opened(folder, base_url, **chosen) as knowledge:
        knowledge.ingest(CORPUS, [folder_of(folder / "in", documents)])
        report = knowledge.build(CORPUS, BuildSettings(today=today))
        require_verbatim(knowledge)
        return report, claims_of(knowledge)


def _read(claims: Claims) -> Claims:
    return [(claim, verdict) for claim, verdict in claims if claim.recipe.get("gap") == "read"]


def _of_rules(claims: Claims) -> Claims:
    return [(claim, verdict) for claim, verdict in claims if claim.recipe.get("gap") == "open"]


def test_gap_that_both_models_tell_is_published(tmp_path: Path) -> None:
    """It quotes the statement, is severe by its kind, and has the validator's word beside the checker's; no embedder is needed."""
    with llm_server(model=_model(REFERENCE, ROLE)) as server:
        report, claims = _built(tmp_path, server.base_url)
    told = {claim.recipe["words"]: (claim, verdict) for claim, verdict in _read(claims)}
    claim, verdict = told["Annex D"]
    assert verdict.published, verdict.filter_reason
    assert claim.text.startswith("keys.md refers to “Annex D”, which is not there: “Whoever loses a key")
    assert (claim.claim_kind, claim.severity, claim.rule) == ("gap", "medium", "gap/read")
    assert [each.who for each in verdict.opinions] == ["validator"]
    assert told["The Lock Marshal"][1].published
    assert not report.partial


def test_gap_without_a_validator_needs_review(tmp_path: Path) -> None:
    """One model alone publishes nothing; what rules tell is what it is without a model."""
    with llm_server(model=_model(REFERENCE)) as server:
        claims = _built(tmp_path, server.base_url, agents=("reducer",))[1]
    ((_, verdict),) = _read(claims)
    assert (verdict.label, verdict.published) == ("needs_review", False)
    assert "no validator was asked" in verdict.filter_reason
    ((_, ruled),) = _of_rules(claims)
    assert (ruled.published, [each.judge for each in ruled.opinions]) == (False, ["precision"])


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        (("false", True), "not so: Because of that."),
        (("unclear", True), "it cannot be told: Because of that."),
        (("true", False), "of no use to an auditor: Because of that."),
    ],
)
def test_finding_that_the_validator_denies_needs_review_with_its_reason(
    tmp_path: Path, said: tuple[str, bool], reason: str
) -> None:
    """Whoever found it, rules or the reducer; it is kept, not dropped."""
    with llm_server(model=_model(REFERENCE, denied={"Annex D": said, "TBD": said})) as server:
        claims = _built(tmp_path, server.base_url)[1]
    for _, verdict in (*_read(claims), *_of_rules(claims)):
        assert (verdict.checker_label, verdict.label, verdict.published) == ("supported", "needs_review", False)
        assert reason in verdict.filter_reason
    assert len(_of_rules(claims)) == 1


def test_day_that_has_not_passed_is_refused_until_it_has(tmp_path: Path) -> None:
    """The request is the same on every day; what of it is told follows the day of the build."""
    model, asked = _noting(_model(PASSED, AHEAD))
    with llm_server(model=model) as server:
        claims = _built(tmp_path, server.base_url)[1]
        later = _built(tmp_path, server.base_url, today="2027-04-02")[1]
    told = {str(claim.recipe["words"]): verdict for claim, verdict in _read(claims)}
    assert (told[PASSED[0]].published, told[AHEAD[0]].label) == (True, "unsupported")
    assert "has not passed" in told[AHEAD[0]].filter_reason
    (text,) = (claim.text for claim, _ in _read(claims) if claim.recipe["words"] == PASSED[0])
    assert text.startswith("checks.md says “30 June 2026”, which has passed, and no document says what came of it: ")
    assert {str(claim.recipe["words"]) for claim, verdict in _read(later) if verdict.published} == {PASSED[0], AHEAD[0]}
    assert len(asked) == 1


def test_gap_that_the_documents_speak_against_is_refused_by_rules(tmp_path: Path) -> None:
    """A document of that name, an owner that is named: the validator is not even asked."""
    documents = {
        **DOCUMENTS,
        "keys.md": DOCUMENTS["keys.md"] + "\nSee the Check Procedure for alarms.\n",
    }
    told = ("Check Procedure for", "reference"), ("the Check Procedure", "reference"), ("Owner: Head", "owner")
    with llm_server(model=_model(*told)) as server:
        claims = _built(tmp_path, server.base_url, documents=documents)[1]
    found = {str(claim.recipe["words"]): verdict for claim, verdict in _read(claims)}
    assert found["the Check Procedure"].label == "unsupported"
    assert "a document of the corpus is called so" in found["the Check Procedure"].filter_reason
    assert all(each.opinions == () for each in found.values() if each.label == "unsupported")


def test_gap_that_rules_tell_of_the_same_words_is_told_once(tmp_path: Path) -> None:
    """The rules' claim stays."""
    with llm_server(model=_model(("TBD", "open"))) as server:
        claims = _built(tmp_path, server.base_url)[1]
    assert _read(claims) == []
    assert len(_of_rules(claims)) == 1


def test_question_that_is_not_answered_leaves_the_build_partial(tmp_path: Path) -> None:
    """What rules found then waits for a person; the next build asks again and publishes it."""

    def refuses(request: dict[str, Any]) -> Reply:
        if "findings" in schema_of(request)["properties"]:
            return structured({"findings": "none"})
        return _model(REFERENCE)(request)

    with llm_server(model=refuses) as server:
        report, claims = _built(tmp_path, server.base_url)
    assert report.partial
    assert any(each.startswith("validator: ") for each in report.unanswered)
    ((_, verdict),) = _of_rules(claims)
    assert "did not answer" in verdict.filter_reason


def test_second_build_asks_nothing_and_is_the_same(tmp_path: Path) -> None:
    """Answers are kept by their requests."""
    with llm_server(model=_model(REFERENCE, PASSED)) as server:
        first, _ = _built(tmp_path, server.base_url)
        asked = len(server.messages)
        second, _ = _built(tmp_path, server.base_url)
        assert len(server.messages) == asked
    assert second.build_id == first.build_id
    assert not second.changed


def test_large_corpus_is_read_in_parts_and_a_larger_one_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each request has the names of all documents."""
    monkeypatch.setattr(whole, "AT_ONCE_CHARS", 300)
    model, asked = _noting(_model(REFERENCE, PASSED))
    with llm_server(model=model) as server:
        claims = _built(tmp_path / "parts", server.base_url)[1]
    assert len(asked) > 1
    assert all("keys.md" in (names := fenced(each, "documents")[0].text) and "checks.md" in names for each in asked)
    assert {str(claim.recipe["words"]) for claim, _ in _read(claims)} == {"Annex D", PASSED[0]}
    monkeypatch.setattr(whole, "MOST_REQUESTS", 1)
    with llm_server(model=_model(REFERENCE, PASSED)) as server:
        assert _read(_built(tmp_path / "none", server.base_url)[1]) == []


def test_no_statements_are_read_where_nobody_wants_them_read(tmp_path: Path) -> None:
    """With no pairs (``--conflict-pairs 0``) no sentence is sent to be read for gaps."""
    model, asked = _noting(_model(REFERENCE))
    with llm_server(model=model) as server:
        claims = _built(tmp_path, server.base_url, conflict_pairs=0)[1]
    assert (_read(claims), asked) == ([], [])
