"""Stored answers of language models, and who may ask."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coditect.engine.lmdb.engine import LmdbEngine
from coditect.errors import Malformed, Refused, UsageError
from coditect.models.llm import CitedSpan, LlmAnswer, TextPart, Usage
from coditect.schemas import Asked, ModelAnswer, OpenBatch
from coditect.store.answers.records import failed_answer, llm_answer, model_answer, stored_error
from coditect.store.answers.requests import AnswerStore
from coditect.store.store import Store
from coditect.testing.engine.memory import MemoryEngine
from tests.effort import times

AT = "2026-01-02T03:04:05Z"
SHA = "a" * 64
OTHER = "b" * 64


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store(LmdbEngine(tmp_path / "store", durable=False))
    yield opened
    opened.engine.close()


def answered(text: str = "yes", sha256: str = SHA, corpus: str = "one", attempts: int = 1) -> ModelAnswer:
    answer = LlmAnswer(sha256, "m", (TextPart(text),), Usage(1, 2, 3, 4))
    return model_answer(answer, corpus, "mapper", AT).model_copy(update={"attempts": attempts})


def text_of(found: ModelAnswer | None) -> str:
    assert found is not None
    return llm_answer(found).text


spans = st.builds(
    CitedSpan,
    st.integers(0, 9),
    st.integers(0, 9),
    st.integers(0, 9),
    st.text(max_size=20).filter(lambda t: t.isprintable()),
)
parts = st.builds(TextPart, st.text(st.characters(codec="utf-8"), max_size=50), st.lists(spans, max_size=3).map(tuple))
answers = st.builds(
    LlmAnswer,
    st.just(SHA),
    st.sampled_from(["m", "claude-opus-5-5"]),
    st.lists(parts, max_size=4).map(tuple),
    st.builds(Usage, *[st.integers(0, 10**9)] * 4),
    st.sampled_from(["end_turn", "stop_sequence", "pause_turn"]),
    st.text("req_0", max_size=8),
    st.booleans(),
)


@settings(max_examples=times(60, least=10))
@given(answers)
def test_answers_come_back_as_they_were(answer: LlmAnswer) -> None:
    """Text, citations, usage, reason and ids survive the store."""
    stored = AnswerStore(Store(MemoryEngine()), "one")
    stored.put(model_answer(answer, "one", "mapper", AT))
    found = stored.find(SHA)
    assert found is not None
    assert llm_answer(found) == answer


def test_answers_of_any_length_fit(store: Store) -> None:
    """An answer that is longer than a value is stored whole."""
    long = "§ " * 200_000
    AnswerStore(store, "one").put(answered(long))
    assert text_of(AnswerStore(store, "one").find(SHA)) == long
    assert text_of(AnswerStore(store, "two").find(SHA)) == long


def test_answers_many_at_once_are_more_than_a_transaction(store: Store) -> None:
    """However many and long answers are, all of them are stored, and what is returned is in their order."""
    one = AnswerStore(store, "one")
    requests = [f"{number:064x}" for number in range(450)]
    one.put(answered("there", requests[7]))
    texts = [f"{number} " * (1 if number % 40 else 20_000) for number in range(450)]
    many = [answered(text, sha256) for text, sha256 in zip(texts, requests, strict=True)]
    one.lease_many(requests, "a", 0, 10)
    returned = [text_of(each) for each in one.put_many(many, "a")]
    assert returned[7] == "there"
    assert returned[8:] == texts[8:]
    assert [text_of(one.find(sha256)) for sha256 in requests] == returned
    assert not list(store.scan("asked", Asked))
    assert one.put_many([]) == []


def test_answers_first_one_stays(store: Store) -> None:
    """A second answer to the same request changes nothing, from whichever corpus it comes."""
    one, two = AnswerStore(store, "one"), AnswerStore(store, "two")
    one.put(answered("first"))
    assert text_of(one.put(answered("second"))) == "first"
    assert text_of(two.put(answered("third", corpus="two"))) == "first"
    assert text_of(one.find(SHA)) == text_of(two.find(SHA)) == "first"


def test_answers_that_took_more_attempts_replace(store: Store) -> None:
    """Only what a further attempt brought takes the place of an earlier answer, and never the other way round."""
    one = AnswerStore(store, "one")
    one.put(failed_answer(Malformed("x", usage=Usage(1)), SHA, "one", "mapper", AT))
    one.put(answered("better", attempts=2))
    assert text_of(one.find(SHA)) == "better"
    one.put(answered("late"))
    assert text_of(one.find(SHA)) == "better"


def test_answers_belong_to_their_corpus(store: Store) -> None:
    """An answer of another corpus is adopted, not put; adopting keeps it when the other one goes."""
    one, two = AnswerStore(store, "one"), AnswerStore(store, "two")
    stored = one.put(answered())
    with pytest.raises(UsageError):
        two.put(stored)
    two.adopt(stored)
    store.remove("answers", "one", SHA)
    assert text_of(two.find(SHA)) == "yes"


def test_answers_other_tenants_see_nothing(tmp_path: Path) -> None:
    """Answers and leases are the tenant's."""
    engine = LmdbEngine(tmp_path / "store", durable=False)
    mine, theirs = (AnswerStore(Store(engine, tenant), "one") for tenant in ("mine", "theirs"))
    mine.put(answered())
    assert mine.lease(OTHER, "me", 0, 10).granted
    assert theirs.find(SHA) is None
    assert theirs.lease(OTHER, "them", 0, 10).granted
    engine.close()


@pytest.mark.parametrize(
    ("error", "outcome"),
    [
        (Refused("x", usage=Usage(1, 2, 3, 4), model="m", request_id="r"), "refused"),
        (Malformed("x", usage=Usage(1, 2, 3, 4), model="m", request_id="r", truncated=True), "truncated"),
        (Malformed("x", usage=Usage(1, 2, 3, 4), model="m", request_id="r", truncated=False), "malformed"),
    ],
)
def test_answers_errors_come_back_as_they_were(store: Store, error: Refused | Malformed, outcome: str) -> None:
    """What came instead of an answer is raised again, of the same kind and with the same usage."""
    one = AnswerStore(store, "one")
    one.put(failed_answer(error, SHA, "one", "mapper", AT))
    found = one.find(SHA)
    assert found is not None
    assert found.outcome == outcome
    again = stored_error(found)
    assert type(again) is type(error)
    assert again is not None
    assert again.context["usage"] == Usage(1, 2, 3, 4)
    assert bool(again.context.get("truncated")) == (outcome == "truncated")
    with pytest.raises(type(error)):
        llm_answer(found)


def test_leases_are_held_by_one_until_they_end(store: Store) -> None:
    """A living lease keeps others out, in every corpus; its owner may lease again; an ended one is anybody's."""
    one, two = AnswerStore(store, "one"), AnswerStore(store, "two")
    assert one.lease(SHA, "a", now=0, expires_at=10).granted
    assert one.lease(SHA, "a", now=1, expires_at=11).granted
    refused = two.lease(SHA, "b", now=10, expires_at=20)
    assert not refused.granted
    assert refused.holder is not None
    assert refused.holder.owner == "a"
    assert two.lease(SHA, "b", now=11, expires_at=21).granted
    assert not one.lease(SHA, "a", now=12, expires_at=22).granted


def test_leases_are_renewed_by_their_owner_only(store: Store) -> None:
    """A lost lease is not taken back by renewing it."""
    one = AnswerStore(store, "one")
    one.lease(SHA, "a", 0, 10)
    one.renew([SHA], "a", 100)
    assert not one.lease(SHA, "b", 50, 60).granted
    one.renew([SHA], "a", 20)  # a late renewal does not shorten
    assert not one.lease(SHA, "b", 50, 60).granted
    one.renew([SHA], "b", 1_000)
    assert one.lease(SHA, "b", 100, 110).granted
    one.renew([SHA], "a", 1_000)
    assert one.lease(SHA, "c", 110, 120).granted


def test_leases_go_with_the_answer(store: Store) -> None:
    """Storing an answer gives up the lease in the same transaction; releasing gives up one's own only."""
    one = AnswerStore(store, "one")
    one.lease(SHA, "a", 0, 10)
    one.lease(OTHER, "b", 0, 10)
    one.put(answered(), "a")
    one.release([OTHER], "a")
    assert [lease.request_sha256 for _, lease in store.scan("asked", Asked)] == [OTHER]
    found = one.lease(SHA, "c", 0, 10)
    assert found.answer is not None
    assert not found.granted
    assert one.lease(SHA, "c", 0, 10, attempts=1).granted


def test_leases_of_many_threads_are_granted_once(store: Store) -> None:
    """However many ask at the same time, each request is granted to one."""
    requests = [f"{number:064x}" for number in range(300)]
    granted: list[str] = []

    def lease(owner: str) -> None:
        leases = AnswerStore(store, owner).lease_many(requests, owner, 0, 10)
        granted.extend(sha256 for sha256, outcome in leases.items() if outcome.granted)

    threads = [threading.Thread(target=lease, args=(f"owner {number}",)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(granted) == requests


def test_batches_are_open_until_closed(store: Store) -> None:
    """Open batches are listed oldest first, for their corpus; closing one frees its leases and no others."""
    one, two = AnswerStore(store, "one"), AnswerStore(store, "two")
    late = OpenBatch(corpus_id="one", batch_id="b1", role="mapper", requests=(SHA, OTHER), submitted_at="2026-02")
    early = OpenBatch(corpus_id="one", batch_id="b2", role="mapper", requests=("c" * 64,), submitted_at="2026-01")
    for batch in (late, early):
        one.lease_many(batch.requests, "dead", 0, 10)
        one.put_batch(batch)
        one.renew(batch.requests, "dead", 1_000, batch.batch_id)
    assert [batch.batch_id for batch in one.open_batches()] == ["b2", "b1"]
    assert two.open_batches() == []
    one.close_batch(late, rest=[OTHER])
    assert one.open_batches()[1].requests == (OTHER,)
    assert {lease.request_sha256 for _, lease in store.scan("asked", Asked)} == {OTHER, "c" * 64}
    one.close_batch(one.open_batches()[1])
    assert one.open_batches() == [early]
    assert {lease.batch_id for _, lease in store.scan("asked", Asked)} == {"b2"}


def test_answer_that_failed_keeps_what_the_service_told() -> None:
    """Model and request where they are known, and nothing invented where they are not."""
    told = failed_answer(Malformed("x", model="m", request_id="r", truncated=True), SHA, "one", "mapper", AT)
    assert (told.model, told.service_request_id, told.outcome) == ("m", "r", "truncated")
    silent = failed_answer(Refused("x"), SHA, "one", "mapper", AT)
    assert (silent.model, silent.service_request_id, silent.outcome) == ("", "", "refused")
    assert failed_answer(Malformed("x"), SHA, "one", "mapper", AT).outcome == "malformed"
