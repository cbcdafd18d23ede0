"""Legal holds and erasures over HTTP: what the command line lists, for auditors, in pages."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import httpx
import pytest

from coditect.client import Client
from coditect.compose import open_knowledge
from tests.command_line import invoke
from tests.corpora import CORPUS
from tests.integration.server.served import OTHER, Served, served, settings_at, store_of_two, tokens_at

C = f"/api/v1/corpora/{CORPUS}"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with three holds, of which one was released, and two erasures, of which one waits for a hold."""
    found = tmp_path_factory.mktemp("kept") / "store"
    store_of_two(found)
    with open_knowledge(settings_at(found)) as knowledge:
        knowledge.erase(CORPUS, ["retention.txt"], reason="asked by the person", by="E. Raser")
        knowledge.hold(CORPUS, ["access.md"], matter="case 1", reason="a claim", by="L. Egal")
        over = knowledge.hold(CORPUS, matter="case 2", reason="a claim", by="L. Egal")
        knowledge.hold(CORPUS, ["incident.md"], matter="case 3", reason="an audit", by="L. Egal")
        knowledge.release(CORPUS, over.hold_id, reason="settled", by="L. Egal")
        knowledge.erase(CORPUS, ["access.md"], reason="asked again", by="E. Raser")
    return found


@pytest.fixture(scope="module")
def keeping(place: Path) -> Iterator[Served]:
    """A server over it."""
    with served(place, tokens_at(place)) as found:
        yield found


@pytest.mark.parametrize("what", ["holds", "erasures"])
def test_lists_are_those_of_the_command_line(keeping: Served, place: Path, what: str) -> None:
    """The same records in the same order, at once and row by row; nothing of them is of another corpus."""
    wanted = json.loads(invoke(place, what, "--corpus-id", CORPUS, "--format", "json").stdout)
    assert len(wanted) == 2
    client, rows, cursor = keeping.client("auditor"), [], ""
    for _ in wanted:
        page: Any = client.get(f"{C}/{what}", params={"limit": 1, "cursor": cursor}).json()
        assert (page["corpus_id"], page["total"], len(page[what])) == (CORPUS, 2, 1)
        rows += page[what]
        cursor = page["next"]
    assert (rows, cursor) == (wanted, "")
    assert client.get(f"{C}/{what}").json()[what] == wanted
    other = client.get(f"/api/v1/corpora/{OTHER}/{what}").json()
    assert other == {"corpus_id": OTHER, what: [], "total": 0, "next": ""}


def test_an_erasure_that_waits_has_no_certificate_and_one_that_is_done_has(keeping: Served) -> None:
    """With the entry of the log that tells of each."""
    listed = keeping.client("auditor").get(f"{C}/erasures").json()["erasures"]
    done, waits = sorted(listed, key=lambda each: each["certificate"] is None)  # those of one second are by their ids
    assert (done["erasure"]["by"], done["certificate"]["erasure_id"]) == ("E. Raser", done["erasure"]["erasure_id"])
    assert (waits["erasure"]["reason"], waits["certificate"]) == ("asked again", None)
    assert 0 <= done["log_index"] < waits["log_index"]


@pytest.mark.parametrize("what", ["holds", "erasures"])
def test_they_are_for_who_may_audit_and_only_read(keeping: Served, what: str) -> None:
    """Others are refused; nobody orders anything here; each look stands in the trail."""
    for who, status in (("reader", 403), ("analyst", 403), ("reviewer", 403), ("auditor", 200), ("administrator", 200)):
        assert keeping.client(who).get(f"{C}/{what}").status_code == status
    assert keeping.client("administrator").post(f"{C}/{what}", json={}).status_code == 405
    assert keeping.client("administrator").delete(f"{C}/{what}").status_code == 405
    assert keeping.client("one").get(f"/api/v1/corpora/{OTHER}/{what}").status_code == 404
    keeping.app.state.service.flush()
    trail = keeping.client("auditor").get("/api/v1/audit", params={"limit": 1000}).text
    assert f'"{what}"' in trail


@pytest.mark.parametrize("what", ["holds", "erasures"])
def test_cursors_are_refused_with_the_way_out(keeping: Served, what: str) -> None:
    """One that is none, and one of the other list."""
    client = keeping.client("auditor")
    none = client.get(f"{C}/{what}", params={"cursor": "nonsense"})
    assert (none.status_code, none.json()["detail"]) == (400, "Leave it out to begin again.")
    other = {"holds": "erasures", "erasures": "holds"}[what]
    borrowed = client.get(f"{C}/{other}", params={"limit": 1}).json()["next"]
    refused = client.get(f"{C}/{what}", params={"cursor": borrowed})
    assert (refused.status_code, refused.json()["title"]) == (400, "the cursor is of another list")


def test_a_hold_that_is_released_between_two_pages_is_told(tmp_path: Path) -> None:
    """The next one would be passed over."""
    place = tmp_path / "store"
    store_of_two(place)
    with open_knowledge(settings_at(place)) as knowledge:
        held = [
            knowledge.hold(CORPUS, matter=f"case {each}", reason="a claim", by="L. Egal").hold_id for each in range(3)
        ]
        with served(place, tokens_at(place)) as found:
            client = found.client("auditor")
            first = client.get(f"{C}/holds", params={"limit": 1}).json()
            assert first["holds"][0]["hold_id"] in held
            knowledge.release(CORPUS, first["holds"][0]["hold_id"], reason="settled", by="L. Egal")
            refused = client.get(f"{C}/holds", params={"limit": 1, "cursor": first["next"]})
            assert (refused.status_code, refused.json()["title"]) == (400, "the list has changed since the page before")
            assert client.get(f"{C}/holds").json()["total"] == 2


def test_the_client_reads_both(keeping: Served) -> None:
    """As records, whatever the size of a page."""
    with keeping.client("auditor") as inside:
        corpus = Client("http://localhost", "", http=cast("httpx.Client", inside)).corpus(CORPUS)
        assert sorted(each.matter for each in corpus.holds(page_rows=1)) == ["case 1", "case 3"]
        assert list(corpus.holds(page_rows=1)) == list(corpus.holds())
        erased = list(corpus.erasures(page_rows=1))
        assert sorted(each.certificate is None for each in erased) == [False, True]
        assert erased == list(corpus.erasures())
