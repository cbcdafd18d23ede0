"""How often rows are looked at while somebody writes; vectors, answers and what is written once, as the log tells of them."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from coditect.integrity.logged import check
from coditect.integrity.logged.belongings import CHANGED, GONE, PLANTED
from coditect.integrity.logged.check import check_logged
from coditect.integrity.logged.derived import VECTORS, check_derived
from coditect.integrity.logged.history import CorpusHistory
from coditect.integrity.logged.records import check_records
from coditect.integrity.logged.rows import LoggedRows
from coditect.keyspace import seal_compressed
from coditect.schemas import (
    TENANT,
    AnswerUsage,
    CorpusPolicy,
    Derivation,
    Finding,
    LogAct,
    ModelAnswer,
    Record,
    SignerKey,
    sha256_hex,
    tag_of,
)
from coditect.store.store import Store
from coditect.transparency.events import append_event, event_of
from tests.corpora import CORPUS as BUILT

CORPUS = "c"
BEGUN = {"kind": "corpus", "$record": "log_event/2"}


def _written(store: Store) -> None:
    store.update(lambda t: append_event(t, store.keys, event_of("export", "another")))


@pytest.mark.parametrize(
    ("found", "written", "looks"),
    [
        ([0], [True], 1),
        ([1], [False], 1),
        ([1, 0], [True, True], 2),
        ([1, 1], [True, False], 2),
        ([1, 1, 1], [True, True, True], 3),
    ],
)
def test_what_is_found_is_looked_at_again_until_the_log_stood_still(
    memory: Store, monkeypatch: pytest.MonkeyPatch, found: list[int], written: list[bool], looks: int
) -> None:
    """Three times at most; where nothing is found, it does not matter who writes. The last look is what counts."""
    begun: list[int] = []

    class Look:
        def __init__(self, *_: object) -> None:
            number = len(begun)
            begun.append(number)
            finding = Finding(check="log", record=f"look {number}", message="x")
            self.findings, self.untold, self.entries = [finding] * found[number], [f"look {number}"], 5

        def log(self, kept: object) -> None:
            """Nothing."""

        def rows(self) -> None:
            if written[begun[-1]]:
                _written(memory)

    monkeypatch.setattr(check, "_Check", Look)
    counts: Counter[str] = Counter()
    findings, untold = check_logged(memory, CORPUS, None, counts, lambda table: None)
    assert len(begun) == looks
    assert [each.record for each in findings] == [f"look {looks - 1}"] * found[looks - 1]
    assert (untold, counts["log"]) == ([f"look {looks - 1}"], 5)


def test_entries_of_a_log_are_counted(built: Store) -> None:
    """Those that have an index; of a corpus of which nothing is told that is said."""
    from coditect.transparency.sequencer import TransparencyLog

    size = TransparencyLog(built.engine, built.keys).sequence().size
    counts: Counter[str] = Counter()
    assert check_logged(built, BUILT, None, counts, lambda table: None) == ([], [])
    assert counts["log"] == size
    findings, _ = check_logged(built, "another", None, Counter(), lambda table: None)
    assert [each.record for each in findings] == ["corpus/another"]


def _run(store: Store, *events: dict[str, Any]) -> tuple[LoggedRows, list[tuple[str, str]]]:
    history, said = CorpusHistory(CORPUS), list[tuple[str, str]]()
    for each in events:
        history.take({"corpus": tag_of(CORPUS), **each})
    return LoggedRows(store, CORPUS, history, lambda *told: said.append(told), lambda table: None), said


def _event(kind: str, record: Record, **more: object) -> dict[str, Any]:
    return {"kind": kind, "sha256": sha256_hex(record.payload()), **more}


STEP = Derivation.create(
    corpus_id=CORPUS, stage="vectors", inputs=(), method="m", parameters={}, code_version="1", outputs=()
)
SOURCE = Derivation.create(
    corpus_id=CORPUS, stage="passages", inputs=(), method="m", parameters={}, code_version="1", outputs=()
)


def _told(store: Store, details: dict[str, Any], *, stored: bool = True) -> dict[str, Any]:
    """An act on vectors, and the entry that tells of it."""
    act = LogAct(kind="vectors", corpus_id=CORPUS, at="", details=details)
    key = store.keys.key("log/acts", sha256_hex(act.payload()))
    if stored:
        store.update(lambda t: t.set(key, seal_compressed(store.keys.relative(key), act.payload())))
    return _event("vectors", act)


@pytest.mark.parametrize(
    ("block", "stored", "said", "unknown"),
    [
        ([sha256_hex(STEP.payload()), SOURCE.derivation_id], True, [], 0),
        (["0" * 64, SOURCE.derivation_id], True, [CHANGED], 0),
        ([sha256_hex(STEP.payload())], True, [PLANTED], 0),
        ([sha256_hex(STEP.payload()), "", ""], True, [PLANTED], 0),
        ("nothing", True, [PLANTED], 0),
        ([sha256_hex(STEP.payload()), SOURCE.derivation_id], False, [], 1),
    ],
)
def test_vectors_are_those_that_acts_tell_of(
    memory: Store, block: object, stored: bool, said: list[str], unknown: int
) -> None:
    """Where an act is gone, which is said of the act, nobody can tell whether they were planted."""
    memory.update(lambda t: memory.write_record(t, "derivations", STEP, CORPUS, STEP.derivation_id))
    run, found = _run(memory, BEGUN, _told(memory, {"blocks": {STEP.derivation_id: block}}, stored=stored))
    check_derived(run)
    assert ([message for _, message in found], run.unknown[VECTORS]) == (said, unknown)
    odd, found = _run(memory, BEGUN, _told(memory, {"blocks": []}))
    check_derived(odd)
    assert (found, odd.unknown[VECTORS]) == ([], 1)


@pytest.mark.parametrize(
    "begun", [{"kind": "corpus"}, {"kind": "import", "$record": "log_event/2"}, {"kind": "export"}]
)
def test_vectors_of_a_corpus_from_elsewhere_need_not_be_told(memory: Store, begun: dict[str, Any]) -> None:
    """Or of one that began under a release that logged none."""
    memory.update(lambda t: memory.write_record(t, "derivations", STEP, CORPUS, STEP.derivation_id))
    run, found = _run(memory, begun)
    check_derived(run)
    assert (found, run.unknown[VECTORS]) == ([], 1)


def test_vectors_that_are_gone_are_missed_where_what_they_are_of_is_there(memory: Store) -> None:
    """Without a generation nothing is there; the last that was told counts."""
    events = [BEGUN, _told(memory, {"blocks": {STEP.derivation_id: ["0" * 64, SOURCE.derivation_id]}})]
    run, found = _run(memory, *events)
    check_derived(run)
    assert found == []
    memory.update(lambda t: memory.write_record(t, "derivations", STEP, CORPUS, STEP.derivation_id))
    run, found = _run(
        memory, *events, _told(memory, {"blocks": {STEP.derivation_id: [sha256_hex(STEP.payload()), "x"]}})
    )
    check_derived(run)
    assert found == []


def _answer(number: int) -> ModelAnswer:
    return ModelAnswer(
        request_sha256=f"{number:064}",
        corpus_id=CORPUS,
        role="mapper",
        model="m",
        usage=AnswerUsage(input_tokens=number),
        answered_at="2026-01-01T00:00:00Z",
    )


def test_answers_of_models_are_those_that_the_log_tells_of(memory: Store) -> None:
    """Each by its hash; how many are missing is said once."""
    answers = [_answer(each) for each in range(3)]
    for each in answers[:2]:
        memory.update(lambda t, each=each: memory.write_record(t, "answers", each, CORPUS, each.request_sha256))  # type: ignore[misc]
    for told, said in (
        (answers[:2], []),
        (answers[:1], [PLANTED]),
        (answers, ["1 that the log tells of are not here"]),
        ([], [PLANTED, PLANTED]),
    ):
        run, found = _run(memory, BEGUN, *(_event("answer", each) for each in told))
        check_records(run)
        assert [message for _, message in found] == said


KEY = {"key": "k", "change": "made", "person": "Ada", "role": "officer", "at": "2026-01-01T00:00:00Z"}


@pytest.mark.parametrize("corpus_id", [CORPUS, TENANT])
def test_keys_of_a_corpus_and_of_the_register_are_told(memory: Store, corpus_id: str) -> None:
    """In the register every one: it is never older than the log, nor imported."""
    record = SignerKey.create(corpus_id=corpus_id, **KEY)
    told = _event("key", record, subject=record.signer_id, corpus=tag_of(CORPUS) if corpus_id else "")
    run, found = _run(memory, {"kind": "import"}, told)
    check_records(run)
    assert [message for _, message in found] == [GONE]
    memory.put_items([record])
    for events, said in (
        ([told], []),
        ([{**told, "sha256": "0"}], [CHANGED]),
        ([], [PLANTED] if not corpus_id else []),
    ):
        run, found = _run(memory, {"kind": "import"}, *events)
        check_records(run)
        assert [message for _, message in found] == said
        assert run.unknown["keys of persons"] == (not events and bool(corpus_id))


def test_what_is_written_once_is_told_by_kind_and_id(memory: Store) -> None:
    """A policy as a policy."""
    policy = CorpusPolicy.create(corpus_id=CORPUS, approvals=2, at="2026-01-01T00:00:00Z")
    memory.put_items([policy])
    for kind, said in (("policy", []), ("hold", [PLANTED, GONE])):
        run, found = _run(memory, BEGUN, _event(kind, policy, subject=policy.policy_id))
        check_records(run)
        assert [message for _, message in found] == said
