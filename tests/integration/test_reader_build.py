"""Builds in which a model reads the norms: what it reads soundly takes the place of what rules read, and nothing else does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from coditect.errors import BudgetExceeded
from coditect.knowledge.derivation.report import BuildReport
from coditect.knowledge.report.registers.rows import register_rows
from coditect.knowledge.report.registers.selection import RegisterFilters
from coditect.knowledge.service import Knowledge
from coditect.schemas import BuildSettings, Extraction
from tests.integration.agents import CORPUS, INJECTION, POLICIES, folder_of, opened, require_verbatim
from tests.llm_server import Fault, LlmServer, llm_server
from tests.llm_server.answers_norms import norm, reader_telling

NORMATIVE = ("obligation", "prohibition", "permission")
MODEL = "claude-sonnet-5-5"
KEYS = """# Key Handling Policy

## 1 Keys

The custodian shall keep every key in the vault. Keys go back to the desk at night. Demand may soften in spring.

## 2 Losses

The custodian must:

(a) not lend a key to guests; and

(b) tell the guard within two days after a loss, unless the guard is away.
"""
KEPT = norm("obligation", "keep every key in the vault", holder="The custodian", cue=["shall"])
ADDED = norm("obligation", "go back to the desk at night", subject="Keys")
LENT = norm("prohibition", "lend a key to guests", holder="The custodian", cue=["must", "not"], further=["4"])
TOLD = norm(
    "obligation",
    "tell the guard",
    holder="The custodian",
    cue=["must"],
    further=["4"],
    times=[{"kind": "deadline", "text": ["within two days after a loss"], "trigger": "a loss"}],
    exceptions=["unless the guard is away"],
)
ALL = {"vault": [KEPT], "at night": [ADDED], "lend a key": [LENT], "tell the guard": [TOLD]}


@contextmanager
def _keys(
    tmp_path: Path, model: Callable[[dict[str, Any]], Any], text: str = KEYS
) -> Iterator[tuple[Knowledge, LlmServer]]:
    """A corpus of one policy, and the service that reads it."""
    with llm_server(model=model) as server, opened(tmp_path, server.base_url, agents=("reader",)) as knowledge:
        knowledge.ingest(CORPUS, [folder_of(tmp_path / "in", {"keys.md": text})])
        yield knowledge, server


def _built(knowledge: Knowledge) -> tuple[BuildReport, dict[str, Extraction]]:
    """The report, and the norms by their words."""
    report = knowledge.build(CORPUS, BuildSettings())
    require_verbatim(knowledge)
    return report, {each.source_text: each for each in _norms(knowledge)}


def _norms(knowledge: Knowledge) -> list[Extraction]:
    view = knowledge.view(CORPUS)
    return [e for d in view.documents for e in view.extractions(d) if e.extraction_kind in NORMATIVE]


def _found(norms: dict[str, Extraction], words: str) -> Extraction | None:
    return next((each for text, each in norms.items() if words in text), None)


def test_what_a_model_reads_takes_the_place_of_what_rules_read(tmp_path: Path) -> None:
    """Read alike: the rules' own; else the model's, which says who read it; what it does not find is gone. The report counts."""
    with _keys(tmp_path, reader_telling(ALL)) as (knowledge, server):
        report, norms = _built(knowledge)
        sha256s = {call.sha256 for call in server.messages}
        assert report.read_by_model == {"kept": 3, "added": 1, "taken_away": 1, "left_to_rules": 0}
        assert not report.partial
        assert _found(norms, "soften") is None
        kept, added = _found(norms, "vault"), _found(norms, "at night")
        assert kept is not None
        assert "read_by" not in kept.tier1_data.more
        assert added is not None
        by = added.tier1_data.fields()["read_by"]
        assert isinstance(by, dict)
        assert (by["role"], by["model"]) == ("reader", MODEL)
        assert by["answer"]
        assert len(sha256s) == 1
        told = _found(norms, "tell the guard")
        assert told is not None
        assert told.locator == "2(b)"
        assert told.tier1_data.fields()["deadline"]["trigger"] == "a loss"  # type: ignore[index,call-overload]
        rows = register_rows(knowledge.view(CORPUS), RegisterFilters(kinds=frozenset({"obligation"})), "2026-01-01")
        assert {row.action: row.read_by for row in rows} == {
            "keep every key in the vault": "",
            "go back to the desk at night": f"reader {MODEL}",
            "tell the guard": "",
        }


def test_correction_of_a_model_stands_in_all_that_rests_on_norms(tmp_path: Path) -> None:
    """Another holder is told by the register of duties, with the places of its words as the text has them."""
    text = KEYS.replace("The custodian shall keep", "Under the house rules the night guard on duty shall keep")
    told = norm("obligation", "keep every key in the vault", holder="guard on duty", cue=["shall"])
    with _keys(tmp_path, reader_telling({**ALL, "vault": [told]}), text) as (knowledge, _):
        report, norms = _built(knowledge)
        assert report.read_by_model["corrected"] == 1
        corrected = _found(norms, "vault")
        assert corrected is not None
        data = corrected.tier1_data.fields()
        assert data["actor"] == "guard on duty"
        assert data["clause"] == {"start": corrected.char_offset_start, "end": corrected.char_offset_end}


UNSOUND = {
    "an action that the lines do not have": norm("obligation", "burn every key", holder="The custodian", cue=["shall"]),
    "a holder that the lines do not have": {**KEPT, "holder": "The minister"},
    "words of force that forbid nothing": {**KEPT, "kind": "prohibition"},
    "a line that is not there, or of another provision": {**KEPT, "further": ["2"]},
}


@pytest.mark.parametrize("reason", UNSOUND)
def test_answer_that_is_not_borne_out_leaves_its_provision_to_the_rules(tmp_path: Path, reason: str) -> None:
    """Invented words, a kind against its words of force, words of strangers: counted by reason, and rules' reading stands there."""
    with _keys(tmp_path, reader_telling({**ALL, "vault": [UNSOUND[reason]]})) as (knowledge, _):
        report, norms = _built(knowledge)
        assert report.read_by_model["left_to_rules"] == 1
        assert report.agents["roles"]["reader"]["rejected"] == {reason: 1}
        assert (kept := _found(norms, "vault")) is not None
        assert kept.tier1_data.fields()["action"] == "keep every key in the vault"
        assert _found(norms, "at night") is not None  # what is sound elsewhere counts


def test_list_of_which_one_item_is_not_borne_out_is_left_to_the_rules_as_a_whole(tmp_path: Path) -> None:
    """A lead-in with its items is one provision: no half of it is read by a model and the other by rules."""
    wrong = {**TOLD, "action": ["tell the press"]}
    with _keys(tmp_path, reader_telling({**ALL, "tell the guard": [wrong]})) as (knowledge, _):
        report, norms = _built(knowledge)
        assert report.read_by_model == {"kept": 1, "added": 1, "taken_away": 1, "left_to_rules": 1}
        assert {_found(norms, words) is None for words in ("lend a key", "tell the guard")} == {False}


def test_line_that_is_passed_over_is_left_to_the_rules(tmp_path: Path) -> None:
    """What an answer leaves out is not taken for nothing: it has to say so."""
    with _keys(tmp_path, reader_telling(ALL, over=["soften"])) as (knowledge, _):
        report, norms = _built(knowledge)
        assert report.agents["roles"]["reader"]["rejected"] == {"a line that is not answered": 1}
        assert _found(norms, "soften") is not None


def test_text_that_speaks_to_a_model_is_read_by_rules_and_reported(tmp_path: Path) -> None:
    """An obedient answer about a sentence that gives a model orders does not count, and the place is named."""
    text = KEYS.replace("Demand may soften in spring.", INJECTION)
    with _keys(tmp_path, reader_telling(ALL), text) as (knowledge, _):
        report, _norms_read = _built(knowledge)
        assert report.agents["roles"]["reader"]["rejected"] == {"text that speaks to a model": 1}
        assert report.read_by_model["left_to_rules"] == 1
    with llm_server() as server, opened(tmp_path / "honest", server.base_url, agents=("reader",)) as knowledge:
        knowledge.ingest(CORPUS, [folder_of(tmp_path / "policies")])
        told = knowledge.build(CORPUS, BuildSettings()).suspicious
        assert [(each["name"], each["text"]) for each in told] == [("supplier.md", INJECTION)]


def test_document_that_the_model_declines_is_read_by_rules(tmp_path: Path) -> None:
    """It is the document of a build without a model, named in the report; the next build pays for nothing."""
    with llm_server(faults=[Fault("refusal", roles=("reader",))]) as server:
        with opened(tmp_path, server.base_url, agents=("reader",)) as knowledge:
            knowledge.ingest(CORPUS, [folder_of(tmp_path / "in")])
            report = knowledge.build(CORPUS, BuildSettings())
            assert {each.name for each in report.unread} == set(POLICIES)
            assert report.partial
            by_model = {each.extraction_id for each in _norms(knowledge)}
            asked = len(server.messages)
            knowledge.build(CORPUS, BuildSettings())
            assert len(server.messages) == asked
        with opened(tmp_path, server.base_url, llm="none", api_key=None) as knowledge:
            knowledge.build(CORPUS, BuildSettings())
            assert {each.extraction_id for each in _norms(knowledge)} == by_model


def test_build_asks_for_nothing_twice_and_a_changed_document_for_what_changed(tmp_path: Path) -> None:
    """A second build asks nothing; of a long document with one changed sentence few of its passages are sent again."""
    duties = [f"The clerk of office {n} shall file form {n} with the registry of district {n}." for n in range(300)]
    with llm_server() as server, opened(tmp_path, server.base_url, agents=("reader",)) as knowledge:
        knowledge.ingest(CORPUS, [folder_of(tmp_path / "in", {"duties.txt": "\n\n".join(duties)})])
        assert knowledge.build(CORPUS, BuildSettings()).changed
        first = len(server.messages)
        assert first > 5
        assert not knowledge.build(CORPUS, BuildSettings()).changed
        assert len(server.messages) == first
        duties[20] = "The clerk of office 20 shall burn form 20, and no other form of that district."
        knowledge.ingest(CORPUS, [folder_of(tmp_path / "in", {"duties.txt": "\n\n".join(duties)})])
        assert knowledge.build(CORPUS, BuildSettings()).changed
        assert len(server.messages) - first <= 2


def test_build_without_the_reader_is_what_it_was(tmp_path: Path) -> None:
    """Its extractions are those of a store that never saw a reader, id by id; the roles of a model are six unless it is named."""
    ids = []
    with llm_server() as server:
        for folder, agents in (("plain", ()), ("both", ("reader",))):
            with opened(tmp_path / folder, server.base_url, agents=agents or ("selector",)) as knowledge:
                knowledge.ingest(CORPUS, [folder_of(tmp_path / "in")])
                if agents:
                    knowledge.build(CORPUS, BuildSettings())
            with opened(tmp_path / folder, server.base_url, llm="none", api_key=None) as knowledge:
                ids.append(knowledge.build(CORPUS, BuildSettings()).build_id)
        asked = len([call for call in server.messages if call.role == "reader"])
        with opened(tmp_path / "all", server.base_url) as knowledge:
            knowledge.ingest(CORPUS, [folder_of(tmp_path / "in")])
            knowledge.build(CORPUS, BuildSettings())
        assert len([call for call in server.messages if call.role == "reader"]) == asked > 0
    assert ids[0] == ids[1]


def test_dry_run_tells_what_the_reader_would_ask_and_asks_nothing(tmp_path: Path) -> None:
    """As many requests as the build then sends, with tokens and dollars; nothing is stored."""
    with llm_server() as server, opened(tmp_path, server.base_url, agents=("reader",)) as knowledge:
        knowledge.ingest(CORPUS, [folder_of(tmp_path / "in")])
        told = knowledge.forecast(CORPUS, BuildSettings()).agents["roles"]["reader"]
        assert server.messages == []
        assert told["usd"] > 0
        assert told["rejected"] == {}
        assert told["paid"]["output_tokens"] > 0
        knowledge.build(CORPUS, BuildSettings())
        assert told["sent"] == len(server.messages) > 0


def test_budget_that_is_used_up_publishes_nothing(tmp_path: Path) -> None:
    """The build stops before the next call; what was answered is kept, and the next build pays for the rest alone."""
    with llm_server() as server:
        with opened(tmp_path, server.base_url, agents=("reader",), budget_tokens=3_000) as knowledge:
            knowledge.ingest(CORPUS, [folder_of(tmp_path / "in")])
            with pytest.raises(BudgetExceeded):
                knowledge.build(CORPUS, BuildSettings())
            assert knowledge.status(CORPUS)[0].generation == 0
        with opened(tmp_path, server.base_url, agents=("reader",)) as knowledge:
            assert knowledge.build(CORPUS, BuildSettings()).generation == 1
        asked = [call.sha256 for call in server.answered]
        assert len(asked) == len(set(asked))


def test_decisions_of_persons_stand_above_what_a_model_reads(tmp_path: Path) -> None:
    """What a person dismissed stays out, what he corrected stays corrected, and nothing is asked for it."""
    with _keys(tmp_path, reader_telling(ALL)) as (knowledge, server):
        _, norms = _built(knowledge)
        asked, kept, added = len(server.messages), _found(norms, "vault"), _found(norms, "at night")
        assert kept is not None
        assert added is not None
        knowledge.review(CORPUS, added.extraction_id, decision="dismiss", by="R. Viewer", meaning="read by me")
        knowledge.review(
            CORPUS,
            kept.extraction_id,
            decision="correct",
            changes={"actor": "custodian"},
            by="R. Viewer",
            meaning="read by me",
        )
        _, norms = _built(knowledge)
        assert _found(norms, "at night") is None
        corrected = _found(norms, "vault")
        assert corrected is not None
        assert corrected.tier1_data.fields()["actor"] == "custodian"
        assert [each.state for each in knowledge.decisions(CORPUS)] == ["in force", "in force"]
        assert len(server.messages) == asked
