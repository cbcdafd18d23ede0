"""What is left out of a question is not sent, and which of two places a token comes from."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from pydantic import ValidationError

from coditect import errors
from coditect.client import Client, RemoteCorpus
from coditect.client.problems import error_of


def _client_of(answer: Callable[[httpx.Request], httpx.Response]) -> Client:
    return Client("https://host.example", "t", http=httpx.Client(transport=httpx.MockTransport(answer)))


def _sent(ask: Callable[[RemoteCorpus], object]) -> tuple[dict[str, object], dict[str, str], str]:
    """(body, parameters, idempotency key) of the request that a question makes."""
    sent: list[httpx.Request] = []

    def refuses(request: httpx.Request) -> httpx.Response:
        sent.append(request)
        return httpx.Response(404, json={"title": "unknown corpus"})

    with pytest.raises(errors.NotFound):
        ask(_client_of(refuses).corpus("c"))
    (request,) = sent
    body = json.loads(request.content) if request.content else {}
    return body, dict(request.url.params), request.headers.get("idempotency-key", "")


def test_a_check_sends_what_it_was_given_alone() -> None:
    """The server has its own bound and its own generation for what is left out; zero is not left out."""
    assert _sent(lambda corpus: corpus.verify("A text.")) == ({"text": "A text."}, {}, "")
    given = _sent(lambda corpus: corpus.verify("A text.", minimum_support=0.0, as_of=7))
    assert given == ({"text": "A text.", "minimum_support": 0.0}, {"as_of": "7"}, "")
    read = _sent(lambda corpus: corpus.verify("A text.", reads="all"))
    assert read[0] == {"text": "A text.", "llm": "claude", "llm_reads": "all"}


def test_a_change_has_its_own_key_unless_one_is_given() -> None:
    """Each call another one."""
    for ask in (
        lambda corpus, **key: corpus.review("i", decision="accept", meaning="read", **key),
        lambda corpus, **key: corpus.build(max_topics=3, **key),
        lambda corpus, **key: corpus.validate(**key),
    ):
        assert _sent(lambda corpus, ask=ask: ask(corpus, key="my-own"))[2] == "my-own"  # type: ignore[misc]
        made = [_sent(lambda corpus, ask=ask: ask(corpus))[2] for _ in range(2)]  # type: ignore[misc]
        assert all(len(each) == 32 for each in made)
        assert made[0] != made[1]
    assert _sent(lambda corpus: corpus.build(max_topics=3))[0] == {"max_topics": 3}
    assert _sent(lambda corpus: corpus.validate())[0] == {}


def test_a_register_is_asked_for_page_by_page() -> None:
    """Five hundred rows at a time unless told otherwise, each page by the cursor of the one before."""
    asked: list[dict[str, str]] = []
    cursors = iter(["one", "two", ""])

    def answers(request: httpx.Request) -> httpx.Response:
        asked.append(dict(request.url.params))
        return httpx.Response(200, json={"rows": [], "next": next(cursors)})

    assert list(_client_of(answers).corpus("c").register("deadlines", actor="clerk")) == []
    assert asked == [{"actor": "clerk", "limit": "500", "cursor": each} for each in ("", "one", "two")]


def test_documents_are_asked_for_page_by_page() -> None:
    """A thousand at a time; a server of before, that knows no pages, gives all at once."""
    asked: list[dict[str, str]] = []
    listed: list[dict[str, object]] = [
        {"name": name, "document_id": "d", "version_id": "v", "standing": [], "profile": None} for name in "ab"
    ]
    pages = iter([{"documents": listed[:1], "next": "one"}, {"documents": listed[1:], "next": ""}])

    def answers(request: httpx.Request) -> httpx.Response:
        asked.append(dict(request.url.params))
        return httpx.Response(200, json=next(pages))

    assert [each["name"] for each in _client_of(answers).corpus("c").documents(as_of=3)] == ["a", "b"]
    assert asked == [{"as_of": "3", "limit": "1000", "cursor": each} for each in ("", "one")]
    before = _client_of(lambda _: httpx.Response(200, json={"documents": listed[:1]}))
    assert len(before.corpus("c").documents()) == 1


def test_pages_behind_the_first_are_of_its_generations() -> None:
    """Whatever is built meanwhile; of a framework in another corpus that one's, too. Without pages nothing of them is sent."""
    asked: list[dict[str, str]] = []
    page: dict[str, object] = {"generation": 4, "framework_generation": 9, "before": 3, "after": 4}
    page |= {name: [] for name in ("rows", "pending", "reviews", "documents", "affected")}

    def answers(request: httpx.Request) -> httpx.Response:
        asked.append(dict(request.url.params))
        return httpx.Response(200, json={**page, "next": "" if "cursor" in asked[-1] else "one"})

    corpus = _client_of(answers).corpus("c")
    behind = {"limit": "7", "cursor": "one"}
    questions: list[tuple[Callable[[], object], dict[str, str]]] = [
        (lambda: corpus.pending_reviews(page_rows=7), {"as_of": "4"}),
        (lambda: corpus.reviews(page_rows=7), {"as_of": "4"}),
        (lambda: corpus.changes(page_rows=7), {"before": "3", "after": "4"}),
        (lambda: corpus.crosswalk(frameworks=["f"], page_rows=7), {"framework": "f", "as_of": "4"}),
        (
            lambda: corpus.crosswalk(framework_corpus="other", page_rows=7),
            {"framework_corpus": "other", "as_of": "4", "framework_as_of": "9"},
        ),
    ]
    for ask, pinned in questions:
        asked.clear()
        with contextlib.suppress(ValidationError):  # what is answered here is no crosswalk
            ask()
        assert asked[1:] == [pinned | behind]
        own = {name: pinned[name] for name in ("framework", "framework_corpus") if name in pinned}
        assert asked[0] == own | {"limit": "7"}
    assert _sent(lambda each: each.crosswalk(frameworks=["f"]))[1] == {"framework": "f"}
    assert _sent(lambda each: each.pending_reviews())[1] == {}


def test_a_document_with_a_slash_in_its_name_is_looked_up() -> None:
    """No address has a slash inside of its parts; an id is asked for at once."""
    asked: list[str] = []
    listed: dict[str, object] = {
        **{"name": "in/a.md", "document_id": "document_1", "version_id": "v"},
        **{"standing": [], "profile": None},
    }

    def answers(request: httpx.Request) -> httpx.Response:
        asked.append(request.url.raw_path.decode())
        if "name=" in asked[-1]:
            return httpx.Response(200, json={"documents": [listed], "next": ""})
        return httpx.Response(200, content=b"text")

    corpus = _client_of(answers).corpus("c")
    assert (corpus.text("in/a.md"), corpus.text("document_2")) == ("text", "text")
    assert [each.partition("?")[0] for each in asked] == [
        "/api/v1/corpora/c/documents",
        "/api/v1/corpora/c/documents/document_1/text",
        "/api/v1/corpora/c/documents/document_2/text",
    ]


def test_many_questions_are_asked_in_requests_of_one_generation() -> None:
    """Two hundred at a time; those behind the first are asked of the generation that answered it."""
    sent: list[tuple[int, str]] = []

    def answers(request: httpx.Request) -> httpx.Response:
        questions = json.loads(request.content)["questions"]
        sent.append((len(questions), dict(request.url.params).get("as_of", "")))
        told = [{**each, "status": "not found", "reason": "so"} for each in questions]
        return httpx.Response(200, json={"corpus_id": "c", "generation": 4, "build_id": "b", "questions": told})

    found = _client_of(answers).corpus("c").answer_questions([f"Question {number}?" for number in range(450)])
    assert [each.question for each in found.questions] == [f"Question {number}?" for number in range(450)]
    assert sent == [(200, ""), (200, "4"), (50, "4")]
    with pytest.raises(errors.UsageError, match="no questions"):
        _client_of(answers).corpus("c").answer_questions([])


def test_files_of_the_log_are_asked_for_by_their_path() -> None:
    """As C2SP has them, below the log's address."""
    asked: list[str] = []

    def answers(request: httpx.Request) -> httpx.Response:
        asked.append(request.url.path)
        return httpx.Response(200, content=b"hashes")

    client = _client_of(answers)
    for each in ("checkpoint", "tile/0/x001/067", "tile/entries/000.p/5"):
        assert client.log_file(each) == b"hashes"
    assert asked == [f"/api/v1/log/{each}" for each in ("checkpoint", "tile/0/x001/067", "tile/entries/000.p/5")]


@pytest.mark.parametrize(
    ("token", "file", "shown"),
    [("one", "two", "Bearer one"), ("", "two", "Bearer two"), ("one", "", "Bearer one"), ("", "", None)],
)
def test_a_token_of_the_environment_goes_before_one_in_a_file(
    token: str, file: str, shown: str | None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Without either nothing is shown."""
    place = tmp_path / "token"
    place.write_text(f"{file}\n")
    monkeypatch.setenv("CODITECT_TOKEN", f" {token} " if token else "")
    monkeypatch.setenv("CODITECT_TOKEN_FILE", str(place) if file else "")
    seen: list[str | None] = []

    def answers(request: httpx.Request) -> httpx.Response:
        seen.append(request.headers.get("authorization"))
        return httpx.Response(200, json={"corpora": []})

    http = httpx.Client(transport=httpx.MockTransport(answers))
    Client("https://host.example", http=http).corpora()
    Client("https://host.example", "", http=http).corpora()
    assert seen == [shown, None]


@pytest.mark.parametrize(
    ("status", "kind"),
    [(399, errors.StoreError), (400, errors.UsageError), (499, errors.UsageError), (500, errors.StoreError),
     (504, errors.Unavailable)],
)  # fmt: skip
def test_other_refusals_are_wrong_use_or_a_failing_store(status: int, kind: type[errors.CoditectError]) -> None:
    """From 400 to 499 the former; what says nothing is a refusal."""
    error = error_of(status, {})
    assert (type(error), error.message, error.hint) == (kind, "the server refused", None)
    assert error.context == {"status": status}
