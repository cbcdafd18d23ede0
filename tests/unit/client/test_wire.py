"""Requests over the wire, against transports that misbehave."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

import coditect.client
from coditect import errors
from coditect.client import Client, Patience, content_key
from coditect.client.problems import error_of

Answer = Callable[[httpx.Request], httpx.Response]


def client_of(answer: Answer, waits: list[float] | None = None, tries: int = 4) -> Client:
    """A client whose server is a function."""
    return Client(
        "https://host.example",
        "secret",
        Patience(tries=tries, first_wait_s=1.0, longest_wait_s=30.0),
        http=httpx.Client(transport=httpx.MockTransport(answer)),
        sleep=(waits if waits is not None else []).append,
        chance=lambda: 0.0,
    )


def listed(_: httpx.Request) -> httpx.Response:
    """An empty list of corpora."""
    return httpx.Response(200, json={"corpora": []})


def test_public_names_are_pinned() -> None:
    """A public name appears or goes only together with this list."""
    assert coditect.client.__all__ == [
        "Client", "CorpusName", "JobFile", "JobStatus", "LoggedErasure", "Patience", "RemoteCorpus", "content_key",
    ]  # fmt: skip


@pytest.mark.parametrize("status", [429, 503])
def test_a_busy_server_is_asked_again_when_it_says(status: int) -> None:
    """Not before Retry-After, and longer each time where it says nothing."""
    answers = iter([{"Retry-After": "7"}, {}, {}])

    def busy(request: httpx.Request) -> httpx.Response:
        head = next(answers, None)
        return listed(request) if head is None else httpx.Response(status, headers=head, json={"title": "busy"})

    waits: list[float] = []
    assert client_of(busy, waits).corpora() == ()
    assert waits == [7.0, 2.0, 4.0]


def test_patience_ends_in_the_servers_own_words() -> None:
    """Busy for too long is Unavailable, a rate RateLimited; a wait beyond patience is not begun."""
    busy = {"title": "the server is busy", "detail": "Ask again later."}
    with pytest.raises(errors.Unavailable, match="the server is busy"):
        client_of(lambda _: httpx.Response(503, json=busy)).corpora()
    waits: list[float] = []
    with pytest.raises(errors.RateLimited) as limited:
        client_of(lambda _: httpx.Response(429, json={"title": "x"}, headers={"Retry-After": "3600"}), waits).corpora()
    assert (waits, limited.value.context["retry_after_s"]) == ([], 3600)


def test_changes_are_sent_again_with_their_key_alone() -> None:
    """The same key on each try; what has none is not sent again, unless nobody was reached."""
    keys: list[str] = []

    def breaks(request: httpx.Request) -> httpx.Response:
        keys.append(request.headers.get("idempotency-key", ""))
        raise httpx.ReadError("gone")

    with pytest.raises(errors.Unavailable, match="does not answer"):
        client_of(breaks).corpus("c").build(key="my-own-key")
    assert keys == ["my-own-key"] * 4
    keys.clear()
    with pytest.raises(errors.Unavailable):
        client_of(breaks).corpus("c").verify("A text.")
    assert keys == [""]
    keys.clear()

    def unreached(request: httpx.Request) -> httpx.Response:
        keys.append("")
        raise httpx.ConnectError("refused")

    with pytest.raises(errors.Unavailable):
        client_of(unreached).corpus("c").verify("A text.")
    assert len(keys) == 4


def test_files_are_read_from_their_beginning_on_each_try(tmp_path: Path) -> None:
    """A second try sends the whole file, not what the first left."""
    bodies: list[bytes] = []

    def second(request: httpx.Request) -> httpx.Response:
        bodies.append(request.read())
        if len(bodies) == 1:
            return httpx.Response(503, json={"title": "busy"})
        job = {"job_id": "0", "kind": "ingest", "corpus_id": "c", "caller": "x", "state": "queued", "asked_at": ""}
        return httpx.Response(202, json=job)

    place = tmp_path / "x.md"
    place.write_bytes(b"of the file" * 1000)
    client_of(second).corpus("c").ingest([place])
    assert [each.count(b"of the file") for each in bodies] == [1000, 1000]


def test_what_is_there_is_not_sent_again() -> None:
    """The entity tag goes along; a 304 gives the same answer, of the same question alone."""
    asked: list[str] = []

    def tagged(request: httpx.Request) -> httpx.Response:
        asked.append(request.headers.get("if-none-match", ""))
        if asked[-1]:
            return httpx.Response(304)
        listed = {"name": str(request.url.params), "document_id": "d", "version_id": "v"}
        return httpx.Response(200, json={"documents": [listed]}, headers={"ETag": '"a"'})

    corpus = client_of(tagged).corpus("c")
    first = corpus.documents(as_of=1)
    assert corpus.documents(as_of=1) == first
    assert corpus.documents(as_of=2) != first
    assert asked == ["", '"a"', ""]


def test_a_token_does_not_go_in_clear_nor_to_another_address() -> None:
    """Over HTTP to this machine alone; redirects are not followed; addresses are checked."""
    with pytest.raises(errors.UsageError, match="readable on the way"):
        Client("http://host.example", "secret")
    Client("http://127.0.0.1:1", "secret").close()
    Client("http://host.example", "").close()
    for bad in ("host.example", "ftp://host.example", "https://"):
        with pytest.raises(errors.UsageError):
            Client(bad, "secret")
    hosts: list[str] = []

    def leads(request: httpx.Request) -> httpx.Response:
        hosts.append(request.url.host)
        return httpx.Response(307, headers={"Location": "https://other.example/"})

    with pytest.raises(errors.Malformed, match="leads elsewhere"):
        client_of(leads).corpora()
    assert hosts == ["host.example"]


def test_a_page_of_a_proxy_is_told_as_such() -> None:
    """HTML where a problem should be names the status, not the page."""
    with pytest.raises(errors.ModelError, match="said 502"):
        client_of(lambda _: httpx.Response(502, text="<html>bad gateway</html>")).corpora()


def test_the_token_comes_from_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """By itself, or as a file, as containers have secrets; a file that is not there is said."""
    shown: list[str] = []

    def sees(request: httpx.Request) -> httpx.Response:
        shown.append(request.headers.get("authorization", ""))
        return listed(request)

    def ask() -> None:
        Client(http=httpx.Client(transport=httpx.MockTransport(sees))).corpora()

    monkeypatch.delenv("CODITECT_SERVER", raising=False)
    with pytest.raises(errors.UsageError, match="which server"):
        ask()
    monkeypatch.setenv("CODITECT_SERVER", "https://host.example/")
    monkeypatch.setenv("CODITECT_TOKEN", "one")
    ask()
    monkeypatch.delenv("CODITECT_TOKEN")
    (tmp_path / "token").write_text("two\n")
    monkeypatch.setenv("CODITECT_TOKEN_FILE", str(tmp_path / "token"))
    ask()
    assert shown == ["Bearer one", "Bearer two"]
    monkeypatch.setenv("CODITECT_TOKEN_FILE", str(tmp_path / "none"))
    with pytest.raises(errors.UsageError, match="cannot be read"):
        ask()


def test_ids_do_not_lead_elsewhere() -> None:
    """A name with slashes stays one part of the path."""
    paths: list[str] = []

    def sees(request: httpx.Request) -> httpx.Response:
        paths.append(request.url.raw_path.decode())
        return httpx.Response(404, json={"title": "unknown corpus"})

    with pytest.raises(errors.NotFound):
        client_of(sees).corpus("../jobs").report()
    assert paths == ["/api/v1/corpora/..%2Fjobs/report"]


def test_events_are_followed_over_broken_connections() -> None:
    """A stream that ends without an end is opened again; one that never ends well is given up."""
    job = {"job_id": "0", "kind": "build", "corpus_id": "c", "caller": "x", "state": "running", "asked_at": ""}
    streams = iter([[job], [], [{**job, "state": "done"}]])

    def told(_: httpx.Request) -> httpx.Response:
        return httpx.Response(200, text="".join(f"data: {json.dumps(each)}\n\n" for each in next(streams, [])))

    assert [each.state for each in client_of(told).follow("0")] == ["running", "done"]
    with pytest.raises(errors.Unavailable, match="no end"):
        list(client_of(told).follow("0"))


def test_content_makes_keys(tmp_path: Path) -> None:
    """The same content has the same key; how it is divided counts."""
    (tmp_path / "a").write_bytes(b"x")
    assert content_key("a", b"x") == content_key("a", tmp_path / "a")
    assert len({content_key("ab"), content_key("a", "b"), content_key("b", "a")}) == 3


@pytest.mark.parametrize(
    ("status", "kind"),
    [(400, errors.UsageError), (401, errors.AccessDenied), (403, errors.AccessDenied), (404, errors.NotFound),
     (409, errors.Conflict), (413, errors.TooLarge), (422, errors.UsageError), (429, errors.RateLimited),
     (500, errors.StoreError), (502, errors.ModelError), (503, errors.Unavailable)],
)  # fmt: skip
def test_each_status_has_its_error(status: int, kind: type[errors.CoditectError]) -> None:
    """With the server's title, detail and place."""
    error = error_of(status, {"title": "so", "detail": "Do this.", "instance": "/x"})
    assert type(error) is kind
    assert (error.message, error.hint, error.context) == ("so", "Do this.", {"status": status, "instance": "/x"})


def test_without_its_library_the_client_says_which_extra_it_needs() -> None:
    """Whoever installs the package alone is told what else to install."""
    code = "import sys; sys.modules['httpx'] = None; import coditect.client"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "pip install 'coditect-knowledge[client]'" in done.stderr.splitlines()[-1]
