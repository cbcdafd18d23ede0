"""Answers of language models in the store: one after another, over several corpora, and what the log tells of them."""

from __future__ import annotations

import pytest

from coditect.models.llm import LlmAnswer, TextPart, Usage
from coditect.schemas import Asked, LogEvent, ModelAnswer, sha256_hex
from coditect.store.answers.records import llm_answer, model_answer
from coditect.store.answers.requests import AnswerStore
from coditect.store.store import Store
from coditect.testing.engine.memory import MemoryEngine
from coditect.transparency.sequencer import TransparencyLog

SHA = "a" * 64
OTHER = "b" * 64


def _answer(text: str, corpus: str = "one", sha256: str = SHA, attempts: int = 1) -> ModelAnswer:
    given = model_answer(LlmAnswer(sha256, "m", (TextPart(text),), Usage(1, 2, 3, 4)), corpus, "mapper", "2026-01-02")
    return given.model_copy(update={"attempts": attempts})


def _text(found: ModelAnswer | None) -> str:
    return "" if found is None else llm_answer(found).text


@pytest.fixture(params=[False, True], ids=["once", "rerun"])
def store(request: pytest.FixtureRequest) -> Store:
    """On an engine that commits bodies once, and on one that commits them twice."""
    return Store(MemoryEngine(rerun=request.param))


def _events(store: Store) -> list[LogEvent]:
    found = [LogEvent.parse(entry) for entry in TransparencyLog(store.engine, store.keys).waiting()]
    return [each for each in found if each.kind == "answer"]


def test_answer_is_told_to_the_log_once_and_names_the_one_that_it_replaces(store: Store) -> None:
    """By the hash of its bytes; the same answer again is no news, and one that is not kept neither."""
    one = AnswerStore(store, "one")
    first, better = _answer("first"), _answer("better " * 30_000, attempts=2)
    for each in (first, first, _answer("late"), better, better, _answer("later", attempts=2)):
        one.put(each)
    told = _events(store)
    assert [each.sha256 for each in told] == [sha256_hex(each.payload()) for each in (first, better)]
    assert [each.subject for each in told] == ["", sha256_hex(first.payload())]
    assert _text(one.find(SHA)) == "better " * 30_000
    one.put(_answer("best", attempts=3))
    assert _events(store)[-1].subject == sha256_hex(better.payload())


def test_answer_of_another_corpus_is_kept_for_this_one_as_it_is(store: Store) -> None:
    """Adopting one's own changes nothing; of several others the first by its name answers."""
    one, two, zero = (AnswerStore(store, corpus) for corpus in ("one", "two", "zero"))
    own = one.put(_answer("yes"))
    assert one.adopt(own) is own
    two.put(_answer("better", "two", attempts=2))
    assert _text(AnswerStore(store, "none").find(SHA)) == "yes"
    adopted = zero.adopt(own)
    assert adopted == own.model_copy(update={"corpus_id": "zero"})
    assert [_text(each.find(SHA)) for each in (one, two, zero)] == ["yes", "better", "yes"]
    assert {each.sha256 for each in _events(store)} == {
        sha256_hex(each.payload()) for each in (own, _answer("better", "two", attempts=2), adopted)
    }


def test_index_that_names_a_corpus_without_the_answer_answers_nothing(store: Store) -> None:
    """As after a sweep that was killed between the two."""
    AnswerStore(store, "one").put(_answer("yes"))
    store.remove("answers", "one", SHA)
    for corpus in ("one", "two"):
        assert AnswerStore(store, corpus).find(SHA) is None
        assert AnswerStore(store, corpus).find_many([]) == {}


def test_answers_of_many_requests_are_told_from_each_other(store: Store) -> None:
    """Those that are there, and no others, whatever was asked for beside them."""
    one = AnswerStore(store, "one")
    requests = [f"{number:064x}" for number in range(401)]
    assert one.put_many([_answer(each, sha256=each) for each in requests[::2]]) == [
        _answer(each, sha256=each) for each in requests[::2]
    ]
    found = one.find_many(requests)
    assert {sha256: _text(each) for sha256, each in found.items()} == {each: each for each in requests[::2]}


def test_owner_without_a_name_owns_no_lease(store: Store) -> None:
    """Giving up nobody's leases gives up none, and renewing keeps the batch that a lease is of."""
    one = AnswerStore(store, "one")
    one.lease_many([SHA, OTHER], "a", 0, 10)
    one.release([SHA], "")
    one.renew([SHA], "a", 20, "batch")
    one.renew([SHA], "a", 30)
    leases = {lease.request_sha256: lease for _, lease in store.scan("asked", Asked)}
    assert (leases[SHA].batch_id, leases[SHA].expires_at) == ("batch", 30)
    assert (leases[OTHER].batch_id, leases[OTHER].expires_at) == ("", 10)
    one.release([SHA], "a")
    assert [lease.request_sha256 for _, lease in store.scan("asked", Asked)] == [OTHER]
