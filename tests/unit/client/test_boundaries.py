"""What the client does at the edges of its patience, of its memory, and of what jobs tell."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import httpx
import pytest

from coditect import errors
from coditect.client import Client, JobFile, JobStatus, Patience
from coditect.client.jobs import Jobs
from coditect.client.wire import Wire

Answer = Callable[[httpx.Request], httpx.Response]

JOB: dict[str, Any] = {
    "job_id": "0", "kind": "build", "corpus_id": "c", "caller": "x", "state": "running", "asked_at": "2026-01-01T00:00:00Z",
}  # fmt: skip


def wire_of(
    answer: Answer, waits: list[float] | None = None, tries: int = 8, chance: float = 0.0, first_wait_s: float = 1.0
) -> Wire:
    """A wire whose server is a function."""
    return Wire(
        "https://host.example/",
        "secret",
        Patience(tries=tries, first_wait_s=first_wait_s, longest_wait_s=30.0),
        http=httpx.Client(transport=httpx.MockTransport(answer)),
        sleep=(waits if waits is not None else []).append,
        chance=lambda: chance,
    )


def test_a_client_is_patient_for_half_a_minute_unless_told_otherwise() -> None:
    """Six tries, a quarter of a second at first; the documents say so."""
    assert Patience() == Patience(tries=6, first_wait_s=0.25, longest_wait_s=30.0, timeout_s=60.0)


@pytest.mark.parametrize(("chance", "times"), [(0.0, 1.0), (0.5, 1.5), (1.0, 2.0)])
def test_waits_double_up_to_half_of_the_longest(chance: float, times: float) -> None:
    """By chance each is up to twice as long, and none is longer than the longest."""
    waits: list[float] = []
    with pytest.raises(errors.Unavailable):
        wire_of(lambda _: httpx.Response(503, json={"title": "busy"}), waits, chance=chance).get("/x")
    assert waits == [times * each for each in (1.0, 2.0, 4.0, 8.0, 15.0, 15.0, 15.0)]


@pytest.mark.parametrize(
    ("asked", "waited"),
    [("30", 30.0), ("31", None), ("0", 0.25), ("", 0.25), ("soon", 0.25), ("Mon, 01 Jan 2001 00:00:00 GMT", 0.25),
     ("Fri, 01 Jan 2100 00:00:00 GMT", None)],
)  # fmt: skip
def test_a_server_may_ask_for_as_long_as_the_longest_wait(asked: str, waited: float | None) -> None:
    """Seconds or a time; what is neither, or lies behind us, asks for nothing."""
    waits: list[float] = []
    answers = iter([httpx.Response(429, headers={"Retry-After": asked}, json={"title": "busy"})])
    wire = wire_of(lambda _: next(answers, httpx.Response(200, content=b"here")), waits, first_wait_s=0.25)
    if waited is None:
        with pytest.raises(errors.RateLimited):
            wire.get("/x")
        assert not waits
    else:
        assert wire.get("/x") == b"here"
        assert waits == [waited]


@pytest.mark.parametrize("status", [429, 503])
def test_a_change_is_asked_for_again_where_the_server_refused_it_for_now(status: int) -> None:
    """With no key either: it was not begun."""
    answers = iter([httpx.Response(status, json={"title": "busy"})])
    assert wire_of(lambda _: next(answers, httpx.Response(201, content=b"made"))).post("/x", dict) == b"made"


def test_no_more_tries_than_the_patience_has() -> None:
    """The last one is not followed by a wait."""
    waits, sent = list[float](), list[str]()

    def breaks(request: httpx.Request) -> httpx.Response:
        sent.append(str(request.url))
        raise httpx.ReadError("gone")

    with pytest.raises(errors.Unavailable, match="does not answer"):
        wire_of(breaks, waits, tries=3).get("/x")
    assert sent == ["https://host.example/x"] * 3
    assert waits == [1.0, 2.0]


@pytest.mark.parametrize("address", ["ftp://host.example", "host.example", "https://", ""])
def test_what_is_no_address_is_refused(address: str) -> None:
    """Before anything is sent."""
    with pytest.raises(errors.UsageError, match="not the address"):
        Wire(address, "")


@pytest.mark.parametrize(
    "address", ["http://127.0.0.1:1", "http://localhost:1", "http://[::1]:1", "https://host.example"]
)
def test_a_token_goes_to_this_machine_in_clear_and_elsewhere_sealed(address: str) -> None:
    """Nowhere else; without one an address is free."""
    Wire(address, "secret").close()
    Wire("http://host.example", "").close()
    with pytest.raises(errors.UsageError, match="readable on the way"):
        Wire("http://host.example", "secret")


def test_a_client_closes_the_connections_that_it_made_and_no_others() -> None:
    """Those that it was given are their owner's."""
    given = httpx.Client(transport=httpx.MockTransport(lambda _: httpx.Response(200)))
    Wire("https://host.example", http=given).close()
    assert not given.is_closed
    own = Wire("https://host.example")
    own.close()
    with pytest.raises(RuntimeError, match="closed"):
        own.get("/x")


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (300, errors.Malformed),
        (399, errors.Malformed),
        (400, errors.UsageError),
        (404, errors.NotFound),
        (500, errors.StoreError),
    ],
)
@pytest.mark.parametrize("body", [b"<html>", b"[1]", b'{"name":"x"}'])
def test_pages_of_strangers_are_told_by_their_status(
    status: int, kind: type[errors.CoditectError], body: bytes
) -> None:
    """What leads elsewhere is not followed; what is no problem of ours is told as a refusal."""
    with pytest.raises(errors.CoditectError) as refused:
        wire_of(lambda _: httpx.Response(status, content=body)).get("/x")
    assert type(refused.value) is kind


def _tagging(seen: list[bool]) -> Answer:
    """A server whose bodies are as long as the path says, and that notes whether it was shown a tag."""

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append("if-none-match" in request.headers)
        if seen[-1]:
            return httpx.Response(304)
        return httpx.Response(200, headers={"ETag": '"1"'}, content=b"x" * int(request.url.path.split("/")[1]))

    return answer


@pytest.mark.parametrize(("size", "kept"), [(8 << 20, True), ((8 << 20) + 1, False)])
def test_answers_of_up_to_eight_mebibytes_are_kept(size: int, kept: bool) -> None:
    """A longer one would drive out too many."""
    seen: list[bool] = []
    wire = wire_of(_tagging(seen))
    assert len(wire.get(f"/{size}")) == len(wire.get(f"/{size}")) == size
    assert seen == [False, kept]


@pytest.mark.parametrize(("size", "most"), [(8 << 20, 8), (1, 1000)])
def test_the_answer_asked_for_longest_ago_goes_first(size: int, most: int) -> None:
    """Of 64 MiB, or of a thousand; one that was asked for again is a recent one."""
    seen: list[bool] = []
    wire = wire_of(_tagging(seen))
    for number in range(most):
        wire.get(f"/{size}/{number}")
    wire.get(f"/{size}/0")
    assert seen == [False] * most + [True]
    wire.get(f"/{size}/{most}")
    seen.clear()
    for number in (0, 2, most):
        wire.get(f"/{size}/{number}")
    assert seen == [True] * 3
    wire.get(f"/{size}/1")
    assert not seen[-1]


def test_parameters_tell_answers_apart_and_absent_ones_do_not() -> None:
    """None is not sent."""
    seen: list[bool] = []
    wire = wire_of(_tagging(seen))
    wire.get("/1", {"a": 1})
    wire.get("/1", {"a": 2})
    wire.get("/1", {"b": None, "a": 1})
    assert seen == [False, False, True]


def test_streams_are_of_answers_alone() -> None:
    """A refusal is an error, as anywhere."""
    wire = wire_of(lambda _: httpx.Response(404, json={"title": "no such job"}))
    with pytest.raises(errors.NotFound, match="no such job"), wire.stream("/x"):
        pass


@pytest.mark.parametrize("breaks", [True, False])
def test_a_job_is_followed_as_often_as_the_patience_has_tries(breaks: bool) -> None:
    """Whether connections break or end; what is heard begins the count again."""
    streams = [0, 0, 1, 0, 0, 0]
    waits, asked = list[float](), list[int]()

    def told(_: httpx.Request) -> httpx.Response:
        asked.append(streams[len(asked)])
        if not asked[-1] and breaks:
            raise httpx.ReadError("gone")
        return httpx.Response(200, text=f": heart\ndata: {json.dumps(JOB)}\n\n" * asked[-1])

    with pytest.raises(errors.Unavailable):
        list(Jobs(wire_of(told, waits, tries=4)).follow("0"))
    assert asked == streams
    assert waits == [1.0, 2.0, 1.0, 2.0, 4.0]


@pytest.mark.parametrize("state", ["done", "failed", "interrupted"])
def test_a_job_that_ended_is_not_listened_to_any_longer(state: str) -> None:
    """What comes behind the end is not told."""
    events = [{**JOB, "state": "queued"}, {**JOB, "state": state}, {**JOB, "state": "running"}]
    text = "".join(f"data: {json.dumps(each)}\n\n" for each in events)
    found = list(Jobs(wire_of(lambda _: httpx.Response(200, text=text))).follow("0"))
    assert [(each.state, each.ended) for each in found] == [("queued", False), (state, True)]


def _waiting(states: list[dict[str, Any]], sent: list[str]) -> Jobs:
    """Jobs whose streams tell one state each."""
    left = iter(states)

    def answer(request: httpx.Request) -> httpx.Response:
        sent.append(request.method)
        if request.method == "POST":
            return httpx.Response(200, json=JOB)
        return httpx.Response(200, text=f"data: {json.dumps({**JOB, **next(left)})}\n\n")

    return Jobs(wire_of(answer))


def test_an_interrupted_job_is_resumed_where_that_is_wanted() -> None:
    """And its steps are told, not what is before the first."""
    sent, told = list[str](), list[tuple[str, int, int]]()
    states: list[dict[str, Any]] = [
        {"state": "interrupted"},
        {"state": "done", "step": "chunks", "done": 2, "total": 3},
    ]
    found = _waiting(states, sent).wait("0", lambda *step: told.append(step), resume=True)
    assert (found.state, told, sent) == ("done", [("chunks", 2, 3)], ["GET", "POST", "GET"])
    sent.clear()
    with pytest.raises(errors.StoreError):
        _waiting(states, sent).wait("0", None, resume=False)
    assert sent == ["GET"]


def test_a_failed_job_is_the_error_that_its_problem_is() -> None:
    """It is not taken up again; one that names no problem failed on the server's side."""
    with pytest.raises(errors.Conflict, match="twice"):
        _waiting([{"state": "failed", "problem": {"status": 409, "title": "twice"}}], []).wait("0", None, resume=True)
    with pytest.raises(errors.StoreError, match="refused"):
        _waiting([{"state": "failed"}], []).wait("0", None, resume=True)
    problem = {"status": 429, "title": "as much work as was granted", "retry_after_s": 30}
    with pytest.raises(errors.RateLimited) as limited:
        _waiting([{"state": "failed", "problem": problem}], []).wait("0", None, resume=True)
    assert limited.value.context["retry_after_s"] == 30


def test_a_file_is_there_wholly_or_not_at_all(tmp_path: Path) -> None:
    """Nothing half is left, and what was there before stays until then."""
    jobs = Jobs(wire_of(lambda _: httpx.Response(200, content=b"report")))
    right = JobFile(name="r", media_type="text/html", size_bytes=6, sha256=hashlib.sha256(b"report").hexdigest())
    target = tmp_path / "r.html"
    job = JobStatus(**{**JOB, "state": "done", "download": right})
    assert jobs.fetch(job, target) == right
    assert target.read_bytes() == b"report"
    with pytest.raises(errors.Corrupt):
        jobs.fetch(job.model_copy(update={"download": right.model_copy(update={"sha256": "0" * 64})}), target)
    with pytest.raises(errors.NotFound):
        jobs.fetch(job.model_copy(update={"download": None}), target)
    assert [each.name for each in tmp_path.iterdir()] == ["r.html"]
    assert target.read_bytes() == b"report"


def _client_of(answer: Answer) -> Client:
    return Client("https://host.example", "t", http=httpx.Client(transport=httpx.MockTransport(answer)))


def test_the_trail_is_read_page_by_page_to_its_end() -> None:
    """Each page begins behind the one before."""
    asked, pages = list[dict[str, str]](), iter([0, 7, None])

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(dict(parse_qsl(request.url.query.decode())))
        return httpx.Response(200, json={"entries": [], "next_after": next(pages)})

    assert list(_client_of(answer).audit(corpus_id="c")) == []
    assert asked == [
        {"corpus_id": "c", "limit": "1000"},
        {"corpus_id": "c", "limit": "1000", "after": "0"},
        {"corpus_id": "c", "limit": "1000", "after": "7"},
    ]


def test_an_upload_has_files_each_with_a_name_of_its_own(tmp_path: Path) -> None:
    """Files by their paths keep these; none at all, or two of one name, are not sent."""
    bodies: list[bytes] = []

    def answer(request: httpx.Request) -> httpx.Response:
        bodies.append(request.read())
        return httpx.Response(202, json=JOB)

    corpus = _client_of(answer).corpus("c")
    places = [tmp_path / "a" / "x.txt", tmp_path / "b" / "x.txt"]
    for place in places:
        place.parent.mkdir()
        place.write_text("Words.", encoding="utf-8")
    with pytest.raises(errors.UsageError, match="some files"):
        corpus.ingest([])
    with pytest.raises(errors.UsageError, match="some files"):
        corpus.ingest(places)
    assert not bodies
    assert corpus.ingest({"a/x.txt": places[0], "deep/b/y.txt": places[1]}).job_id == "0"
    for part in (b'filename="x.txt"', b'filename="y.txt"', b"\r\n\r\na/x.txt\r\n", b"\r\n\r\ndeep/b/y.txt\r\n"):
        assert part in bodies[0]
