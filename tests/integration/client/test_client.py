"""The client against the real application: the same records as in Python, pages as iterators, jobs to their end, files whole."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import httpx
import pytest

from coditect import Knowledge, errors
from coditect.client import Client, content_key
from coditect.compose import open_knowledge
from coditect.knowledge.report.absent import absent_targets
from tests.corpora import CORPUS
from tests.integration.client.conftest import Listening
from tests.integration.server.served import settings_at

TODAY = "2026-06-01"


@pytest.fixture(scope="module")
def known(place: Path) -> Any:  # noqa: ANN401 - a generator of Knowledge
    """The same store, without the server."""
    with open_knowledge(settings_at(place)) as knowledge:
        yield knowledge


@pytest.mark.parametrize("tier", ["corpus", "section", "chunk", "extraction", "passage"])
def test_answers_are_those_of_python(server: Listening, known: Knowledge, tier: Any) -> None:  # noqa: ANN401 - a word
    """The same records, with their chain of evidence."""
    with server.client("reader") as client:
        found = client.corpus(CORPUS).query("incident", tier, limit=3, include_sources=True)
        assert found == known.query(CORPUS, "incident", tier=tier, limit=3, include_sources=True)
        for hit in found.hits:
            assert client.corpus(CORPUS).chain(hit.item.item_id) == known.chain(hit.item.item_id, corpus_id=CORPUS)


def test_the_application_answers_without_a_network_too(server: Listening) -> None:
    """A caller's own client sends the requests: here one that calls the application in this process."""
    with server.served.client("reader") as inside:
        client = Client("http://localhost", "", http=cast("httpx.Client", inside))
        assert {each.corpus_id for each in client.corpora()} >= {CORPUS}
        assert {each.corpus_id for each in client.status()} >= {CORPUS}


def test_pages_are_one_iterator(server: Listening) -> None:
    """Whatever the size of a page, the rows are the same; so is the trail."""
    with server.client("auditor") as client:
        corpus = client.corpus(CORPUS)
        rows = list(corpus.register("obligations", today=TODAY))
        assert rows == list(corpus.register("obligations", page_rows=1, today=TODAY))
        assert len(rows) > 2
        entries = list(client.audit(corpus_id=CORPUS))
        assert entries[1:] == list(client.audit(corpus_id=CORPUS, after=entries[0].index))


def test_documents_come_as_they_are_stored(server: Listening, known: Knowledge) -> None:
    """Record, text and bytes."""
    view = known.view(CORPUS)
    with server.client("reader") as client:
        corpus = client.corpus(CORPUS)
        for listed in corpus.documents(today=TODAY):
            version = view.documents[listed["document_id"]]
            assert corpus.document(listed["document_id"]) == version
            assert len(corpus.original(listed["document_id"])) == version.raw_bytes
            assert len(corpus.text(listed["document_id"]).encode()) == version.text_bytes
        claim = next(iter(view.claims.values()))
        assert corpus.item(claim.claim_id) == claim.model_dump(mode="json")
        with pytest.raises(errors.NotFound, match="unknown item"):
            corpus.item("claim_" + "0" * 40)


def test_problems_are_the_errors_of_the_package(server: Listening) -> None:
    """What is not there, what is not allowed, what is not signed in, what is asked wrongly."""
    with server.client("reader") as client:
        with pytest.raises(errors.NotFound, match="unknown corpus"):
            client.corpus("nothing").query("x")
        with pytest.raises(errors.UsageError, match="not allowed"):
            client.corpus(CORPUS).build()
        with pytest.raises(errors.UsageError, match="not valid"):
            client.corpus(CORPUS).query("x", limit=100_000)
    with server.client("analyst") as client:
        with pytest.raises(errors.UsageError, match="not valid") as refused:
            client.corpus(CORPUS).crosswalk()
        assert "query.framework: which framework?" in str(refused.value.hint)
    with Client(server.address, "coditect_made_up") as nobody, pytest.raises(errors.UsageError, match="not signed in"):
        nobody.corpora()


def test_documents_go_in_are_built_and_answer(server: Listening, tmp_path: Path) -> None:
    """From files to an answer, with progress; the same content key is the same job."""
    rule = tmp_path / "rule.md"
    rule.write_text("# Rule\n\n1 The clerk shall weigh each parcel.\n")
    with server.client("analyst") as client:
        corpus = client.corpus("sent")
        key = content_key("sent", rule)
        job = corpus.ingest({"in/rule.md": rule}, key=key)
        assert corpus.ingest({"in/rule.md": rule}, key=key).job_id == job.job_id
        assert client.wait(job).result["counts"]["added"] == 1
        steps: list[str] = []
        built = client.wait(corpus.build(today=TODAY), lambda step, _done, _total: steps.append(step))
        assert (built.result["generation"], bool(steps)) == (1, True)
        assert corpus.query("weigh parcel", "extraction").hits[0].item.document_name == "in/rule.md"
        assert job.job_id in {each.job_id for each in client.jobs()}
        with pytest.raises(errors.UsageError):
            corpus.ingest([])


def test_files_of_jobs_are_fetched_whole(server: Listening, tmp_path: Path) -> None:
    """An archive that is imported elsewhere with the same digest, and a crosswalk."""
    with server.client("administrator") as client:
        job = client.wait(client.corpus(CORPUS).export())
        made = client.fetch(job, tmp_path / "it.archive")
        assert (tmp_path / "it.archive").stat().st_size == made.size_bytes
        with open_knowledge(settings_at(tmp_path / "other")) as other, (tmp_path / "it.archive").open("rb") as file:
            assert other.import_archive(file).corpus_digest == job.result["corpus_digest"]
        name = client.corpus(CORPUS).documents()[0]["name"]
        crossed = client.wait(client.corpus(CORPUS).crosswalk_job(frameworks=[name], format="csv"))
        assert client.fetch(crossed, tmp_path / "it.csv").media_type.startswith("text/csv")
        assert client.corpus(CORPUS).crosswalk(frameworks=[name]).rows
        with pytest.raises(errors.NotFound, match="no file"):
            client.fetch(client.wait(client.corpus(CORPUS).validate()), tmp_path / "none")
        spoiled = job.model_copy(update={"download": made.model_copy(update={"sha256": "0" * 64})})
        with pytest.raises(errors.Corrupt):
            client.fetch(spoiled, tmp_path / "spoiled")
        assert sorted(each.name for each in tmp_path.iterdir() if each.is_file()) == ["it.archive", "it.csv"]


def test_decisions_and_checks_are_made_in_the_tokens_name(server: Listening, known: Knowledge) -> None:
    """A review by the token's name, listed; a text that is checked; changes and what is absent."""
    with server.client("reviewer") as client:
        corpus = client.corpus(CORPUS)
        item = corpus.query("access", "extraction", gate=False).hits[0].item.item_id
        made = corpus.review(item, decision="accept", meaning="read")
        assert made.by == "reviewer"
        assert made.review_id in {each.review.review_id for each in corpus.reviews()}
        assert corpus.pending_reviews() == tuple(known.pending_reviews(CORPUS))
        assert corpus.verify("Access is reviewed.") == known.verify(CORPUS, "Access is reviewed.")
        with pytest.raises(errors.NotFound, match="no earlier generation"):
            corpus.changes(today=TODAY)
        assert corpus.absent() == tuple(absent_targets(known.view(CORPUS)))
        assert [each.document for each in corpus.agreements(documents=["access*"], page_rows=1)] == ["access.md"]


def test_a_row_of_a_crosswalk_is_decided_once(server: Listening) -> None:
    """By the token's name; the same key is the same decision; a row that is not there, or no framework, is an error."""
    with server.client("reviewer") as reviewer, server.client("analyst") as analyst:
        named: dict[str, Any] = {"frameworks": ["access.md"]}
        row = analyst.corpus(CORPUS).crosswalk(**named).rows[0]
        corpus = reviewer.corpus(CORPUS)
        given: dict[str, Any] = {"decision": "accept_risk", "meaning": "read both sides", "until": "2099-12-31"}
        made = corpus.review_row(row, **named, **given, key="row-decision-1")
        assert (made.by, made.row and made.row.text, made.until) == ("reviewer", row.text, "2099-12-31")
        assert corpus.review_row(row, **named, **given, key="row-decision-1") == made
        (decided,) = [each for each in analyst.corpus(CORPUS).crosswalk(**named).rows if each.part_id == row.part_id]
        assert decided.decided is not None
        assert decided.decided.review_id == made.review_id
        with pytest.raises(errors.NotFound, match="no such row"):
            corpus.review_row(row.model_copy(update={"part_id": "nothing"}), **named, **given)
        with pytest.raises(errors.UsageError, match="not valid"):
            corpus.review_row(row, **given)
        taken_back = corpus.review_row(row, **named, decision="withdraw", meaning="a mistake")
        assert taken_back.follows == (made.review_id,)


def test_a_crosswalk_is_asked_of_some_documents(server: Listening) -> None:
    """Only their sentences stand beside the requirements."""
    with server.client("analyst") as client:
        corpus = client.corpus(CORPUS)
        whole = corpus.crosswalk(frameworks=["access.md"])
        beside = sorted({each.document for row in whole.rows for each in row.evidence})
        some = corpus.crosswalk(frameworks=["access.md"], documents=beside[:1])
        assert {each.document for row in some.rows for each in row.evidence} == set(beside[:1])


def test_columns_of_a_framework_are_handed_on(server: Listening) -> None:
    """By the crosswalk, its job, and a decision on a row: none of them is asked of a framework without a table."""
    named: dict[str, Any] = {"frameworks": ["access.md"]}
    with server.client("analyst") as analyst, server.client("reviewer") as reviewer:
        corpus = analyst.corpus(CORPUS)
        row = corpus.crosswalk(**named).rows[0]
        columns = "id=Ref,statement=Text"
        with pytest.raises(errors.UsageError, match="no table"):
            corpus.crosswalk(**named, columns=columns)
        with pytest.raises(errors.UsageError, match="no table"):
            analyst.wait(corpus.crosswalk_job(**named, columns=columns))
        with pytest.raises(errors.UsageError, match="no table"):
            reviewer.corpus(CORPUS).review_row(row, **named, columns=columns, decision="accept", meaning="read")


def test_a_failed_job_is_an_error(server: Listening) -> None:
    """As its problem says."""
    with server.client("analyst") as client:
        job = client.corpus(CORPUS).crosswalk_job(frameworks=["none-of-that-name*"])
        with pytest.raises(errors.NotFound):
            client.wait(job)
