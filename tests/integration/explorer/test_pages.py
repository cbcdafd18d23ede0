"""Every page of the explorer, without a browser: reachable, readable without script, and safe whatever documents say."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path
from threading import Event
from time import sleep
from urllib.parse import parse_qs, urljoin, urlsplit

import pytest
from fastapi.testclient import TestClient

from coditect.knowledge.progress import Progress
from coditect.knowledge.review.doubts import possible_in
from coditect.knowledge.service import Knowledge
from coditect.schemas import CorpusChanges, Crosswalk, DutyHistory
from coditect.server.explorer import visit as visiting
from coditect.server.explorer.background import MadeThing
from coditect.server.explorer.links import PageLinks
from coditect.server.explorer.routes import changes, crosswalk, obligations
from coditect.server.explorer.shown import review
from coditect.server.explorer.shown.registers.calendar import TimedDuties, timed_duties
from coditect.server.explorer.visit import Visit
from tests.effort import times
from tests.integration.explorer.application import browsing, explorer, visitor
from tests.integration.explorer.corpus import CORPUS, EVIL_NAME, document, extraction_with

LINKS = PageLinks("/explorer", CORPUS)

EACH_KIND = times(5, least=2)
"""Addresses that the crawl looks at, of those that differ in ids and values alone."""


class _Page(HTMLParser):
    """What a page holds, as a browser parses it."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.ids: list[str] = []
        self.inline: list[str] = []
        self.headings: list[int] = []
        self.controls: list[dict[str, str | None]] = []
        self.labelled: set[str | None] = set()
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.ids += [identity] if (identity := given.get("id")) else []
        self.inline += [f"{tag} {name}" for name in given if name == "style" or name.startswith("on")]
        if (tag == "script" and "src" not in given) or tag in ("style", "iframe", "object", "embed", "base"):
            self.inline.append(tag)
        if tag == "a" and given.get("href"):
            self.links.append(str(given["href"]))
        if re.fullmatch("h[1-6]", tag):
            self.headings.append(int(tag[1]))
        if tag in ("input", "select", "textarea") and given.get("type") != "hidden":
            self.controls.append(given)
        if tag == "label":
            self.labelled.add(given.get("for"))

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def _parsed(html: str) -> _Page:
    page = _Page()
    page.feed(html)
    return page


@pytest.fixture(scope="module")
def client(looked_at: Knowledge, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A browser without script."""
    with browsing(explorer(looked_at, tmp_path_factory.mktemp("server"), visitor())) as found:
        yield found


def _crawled(client: TestClient) -> Iterator[tuple[str, int, str, _Page]]:
    """(address, status, HTML, page) from the list of corpora on; of addresses that differ in parameters some of each kind."""
    waiting, seen, kinds = ["/explorer/"], {"/explorer/"}, Counter[str]()
    while waiting:
        address = waiting.pop(0)
        response = client.get(address)
        html = response.text if response.headers.get("content-type", "").startswith("text/html") else ""
        page = _parsed(html)
        yield address, response.status_code, html, page
        found = [response.headers["location"]] if response.is_redirect else page.links
        for link in found:
            parts = urlsplit(urljoin(address, link))
            assert not parts.netloc, f"{address} leads out of here: {link}"
            assert parts.path.startswith("/explorer/"), f"{address}: {link}"
            plain = parts._replace(fragment="").geturl()
            ids = re.sub(r"_[0-9a-f]{40,}", "_", parts.path)
            kind = f"{ids} {sorted(parse_qs(parts.query))}"
            if plain not in seen and kinds[kind] < EACH_KIND:
                kinds[kind] += 1
                seen.add(plain)
                waiting.append(plain)


def test_every_link_leads_somewhere_and_every_page_is_whole(client: TestClient) -> None:
    """From the list of corpora on: no page is missing, fails, has script or style inside, or a control without a label."""
    count = 0
    for address, status, html, page in _crawled(client):
        count += 1
        assert status in (200, 302), (address, status, html[:500])
        if not html:
            continue
        assert not page.inline, (address, page.inline)
        assert [i for i, times in Counter(page.ids).items() if times > 1] == [], address
        assert page.headings[0] == 1, address
        assert page.headings.count(1) == 1, address
        assert all(after <= before + 1 for before, after in zip(page.headings, page.headings[1:], strict=False)), (
            address
        )
        for control in page.controls:
            assert control.get("id") in page.labelled or control.get("aria-label"), (address, control)
        assert '<html lang="en">' in html
        assert 'href="#content"' in html
        assert "alert(" not in re.sub(r"&[a-z#0-9]+;|[^<>]*alert\([^<>]*", "", html), address
    assert count > 40 * EACH_KIND


def test_markup_of_documents_is_text(client: TestClient, looked_at: Knowledge) -> None:
    """Names and words with markup are shown as they are, on every page that shows them; templates in them are words, too."""
    version = looked_at.view(CORPUS).document(document(looked_at, EVIL_NAME)).version_id
    item = extraction_with(looked_at, EVIL_NAME, lambda e: "every Evil term" in e.source_text)
    pages = [
        LINKS.document(version, marks=("obligation", "definition", "cross_reference", "proposition")),
        LINKS.to("documents"),
        LINKS.item(item.extraction_id),
        LINKS.item(item.extraction_id, "follow", list=True),
        LINKS.to("search", q="<script>alert(5)</script> clerk", gate="off", tier="extraction", document=EVIL_NAME),
        LINKS.to("review", item=item.extraction_id),
        LINKS.to("obligations", q="Evil term"),
        LINKS.to("changes"),
    ]
    for address in pages:
        html = client.get(address.partition("#")[0]).text
        assert not re.search(r"<(?:script(?! src=\"/explorer/assets/)|img|x-evil)", html), address
        assert 'onmouseover="alert' not in html
        assert _parsed(html).inline == [], address
    shown = "".join(_parsed(client.get(pages[0]).text).text)
    assert "<script>alert(3)</script>" in shown
    assert "{{ 7*7 }}" in shown
    assert EVIL_NAME in shown


def test_from_the_summary_to_the_place_in_three_clicks(client: TestClient, looked_at: Knowledge) -> None:
    """Overview, finding, section, document: the words that are highlighted there are the quote, for every finding."""
    overview = _parsed(client.get(LINKS.to()).text)
    assert any("/items/claim_" in link for link in overview.links)
    view, formats = looked_at.view(CORPUS), set()
    for claim_id in view.summary.claims:
        page = _parsed(client.get(LINKS.item(claim_id)).text)
        places = [link for link in page.links if "span=" in link and f"claim={claim_id}" in link]
        quotes = [view.section_by_id[c.section_id].content[c.part] for c in view.claims[claim_id].citations]
        assert len(places) == min(25, len(quotes))
        sections = {link for link in page.links if "/items/section_" in link}
        assert sections == {LINKS.item(c.section_id) for c in view.claims[claim_id].citations}
        for link, part in zip(places[:2], quotes[:2], strict=False):
            html = client.get(link).text
            marked = "".join(re.findall(r"<mark[^>]*>(.*?)</mark>", html, re.DOTALL))
            said = "".join(_parsed(marked).text)
            assert re.sub(r"[\s|]+", "", said) == re.sub(r"[\s|]+", "", part.content)
            assert html.count('id="here"') == 1
            assert part.citation is not None
            formats.add(part.citation.document_name.rpartition(".")[2])
    assert {"md", "html", "docx", "pdf"} <= formats


def test_search_says_that_the_corpus_does_not_speak_of_it(client: TestClient) -> None:
    """And shows what is nearest only to who asks for that."""
    silent = client.get(LINKS.to("search", q="penguin husbandry")).text
    assert "The corpus does not speak of it." in silent
    assert "data-open" not in silent.partition("<ol")[2]
    ungated = next(link for link in _parsed(silent).links if "gate=off" in link)
    assert "data-open" in client.get(ungated).text.partition("<ol")[2]


def test_search_says_why_it_found(client: TestClient) -> None:
    """Each answer says by what, with which probability, and what each part of the search gave."""
    html = client.get(LINKS.to("search", q="notify a personal data breach", tier="extraction")).text
    assert "found by words" in html
    assert re.search(r"relevant with \d+ %", html)
    assert "its meaning" in html


def test_search_counts_no_answers_where_it_shows_what_rests_on_them(client: TestClient, looked_at: Knowledge) -> None:
    """A section that rests on the passage that answers is no answer, and leads there before its own words."""
    asked = ("biometric", "weigh parcel", "who is told of a breach", "badge", "clerk")
    found = {each: looked_at.query(CORPUS, each, tier="corpus") for each in asked}
    beside = next(each for each, result in found.items() if result.hits and all(hit.mark for hit in result.hits))
    html = client.get(LINKS.to("search", q=beside, tier="corpus")).text
    assert "No answer. <bdi>" in html
    assert html.index("the passage</a>") < html.index('class="hit-text"')


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ({"q": "x", "tier": "bogus"}, "An unknown tier"),
        ({"q": "breach", "document": "no-such-*"}, "no document of this name"),
        ({"q": '"'}, ""),
    ],
)
def test_a_question_that_cannot_be_asked_is_answered_in_words(
    client: TestClient, query: dict[str, str], says: str
) -> None:
    """With the form still there to ask again."""
    response = client.get(LINKS.to("search", **query))
    assert response.status_code in (200, 400)
    assert says.lower() in response.text.lower()
    assert 'name="q"' in response.text


@pytest.mark.parametrize(
    "address",
    [
        "/explorer/c/nothing",
        "/explorer/c/..%2F..",
        "/explorer/c/%00",
        LINKS.item("claim_000000000000" + 40 * "0"),
        LINKS.item("nonsense"),
        LINKS.document("version_000000000000" + 40 * "0"),
        LINKS.to(as_of_="") + "?as_of=99",
        LINKS.to("changes", before=7, after=9),
        LINKS.to("obligations", document="nothing-*"),
        LINKS.to("obligations", "agreements", document="nothing-*"),
        LINKS.to("obligations", "waivers", document="nothing-*"),
        "/explorer/assets/..%2Fpages.py",
        "/explorer/assets/nothing.css",
    ],
)
def test_what_is_not_there_is_said_on_a_page(client: TestClient, address: str) -> None:
    """With status 400 or 404, and a way on; never a failure of the server."""
    response = client.get(address)
    assert response.status_code in (400, 404), response.text[:300]
    assert "Traceback" not in response.text


def test_an_address_that_there_is_none_of_is_told_on_a_page(
    client: TestClient, looked_at: Knowledge, tmp_path: Path
) -> None:
    """In words and with the way back, whoever asks with a browser; programs are told as programs, and strangers sign in."""
    for address in (LINKS.to("nothing"), "/explorer/nothing", LINKS.item("claim_1", "nothing")):
        answer = client.get(address)
        assert (answer.status_code, answer.headers["content-type"].partition(";")[0]) == (404, "text/html")
        assert "<h1>Not here</h1>" in answer.text
        assert "There is no page at this address." in answer.text
        assert 'href="/explorer/"' in answer.text
    for address in ("/api/v1/nothing", "/nothing"):
        answer = client.get(address)
        assert (answer.status_code, answer.headers["content-type"]) == (404, "application/problem+json")
    assert client.post(LINKS.to("nothing")).headers["content-type"] == "application/problem+json"
    assert client.get(LINKS.to("documents/")).is_redirect
    with browsing(explorer(looked_at, tmp_path / "server", None)) as stranger:
        answer = stranger.get("/explorer/nothing")
        assert (answer.status_code, answer.headers["location"]) == (303, "/explorer/sign-in?next=%2Fexplorer%2Fnothing")


def test_every_page_that_shows_words_stands_in_the_trail(
    client: TestClient, looked_at: Knowledge, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever opens it, and not only who opens it first; what shows nothing of the documents does not."""
    noted: list[tuple[str, tuple[str, ...]]] = []

    def note(_: Knowledge, corpus: str, what: str, generation: int, items: tuple[str, ...] = (), *more: object) -> None:
        assert (corpus, generation) == (CORPUS, 2)
        noted.append((what, tuple(items)))

    monkeypatch.setattr(Knowledge, "note_read", note)
    view = looked_at.view(CORPUS)
    claim, version = view.summary.claims[0], view.document(document(looked_at, "encryption-standard.md")).version_id
    statement = extraction_with(looked_at, "access-control-policy.md", lambda e: e.extraction_kind == "obligation")
    pages = {
        LINKS.to(): ("overview", ()),
        LINKS.to("claims"): ("claims", ()),
        LINKS.to("documents"): ("documents", ()),
        LINKS.to("sections"): ("sections", ()),
        LINKS.item(claim): ("item", (claim,)),
        LINKS.item(claim, "proof"): ("proof", (claim,)),
        LINKS.item(claim, "record"): ("item", (claim,)),
        LINKS.item(statement.extraction_id, "follow", list=True): ("references", (statement.extraction_id,)),
        LINKS.document(version): ("document", (version,)),
        LINKS.to("review", item=claim): ("review", (claim,)),
        LINKS.to("obligations"): ("register", ()),
        LINKS.to("obligations", "calendar"): ("register", ()),
        LINKS.to("obligations", "agreements"): ("register", ()),
        LINKS.to("obligations", "waivers"): ("register", ()),
        LINKS.to("conflicts"): ("register", ()),
        LINKS.to("changes"): ("changes", ()),
        LINKS.to("crosswalk", corpus=CORPUS, framework="acceptable-use-policy.html"): ("crosswalk", ()),
    }
    for address, wanted in pages.items():
        for _ in range(600):  # what is made behind a page is shown as soon as it is made
            noted.clear()
            if "data-waits" not in client.get(address).text:
                break
            assert noted == [], address
            sleep(0.1)
        assert wanted in noted, (address, noted)
        noted.clear()
        client.get(address)
        assert wanted in noted, f"{address}, again"
    noted.clear()
    assert client.get(LINKS.to("search", q="breach")).status_code == 200
    assert [what for what, _ in noted] == ["query"]
    noted.clear()
    for address in ("/explorer/", LINKS.to("crosswalk"), LINKS.to("search"), LINKS.to("nothing")):
        client.get(address)
    assert noted == []


def test_any_page_of_a_document_can_be_gone_to(client: TestClient, looked_at: Knowledge) -> None:
    """By its number, with what was highlighted and marked; of two pages there is nothing to choose."""
    version = looked_at.view(CORPUS).document(document(looked_at, "data-processing-agreement.pdf")).version_id
    html = client.get(LINKS.document(version, span="700-900", marks=("obligation", "quantity"))).text
    form = html.partition('<form class="jump"')[2].partition("</form>")[0]
    given = re.findall(r'name="(\w+)" value="([^"]*)"', form)
    assert given == [("span", "700-900"), ("marks", "obligation"), ("marks", "quantity"), ("page", "1")]
    address = form.partition('action="')[2].partition('"')[0]
    html = client.get(address, params=[*given[:-1], ("page", "4")]).text
    assert 'id="jump" name="page" value="4"' in html
    assert "span=700-900" in html.partition('rel="next"')[2][:400]


def test_parameters_that_mean_nothing_are_harmless(client: TestClient, looked_at: Knowledge) -> None:
    """Pages and cursors out of range, spans behind the text, months that are none."""
    version = looked_at.view(CORPUS).document(document(looked_at, "encryption-standard.md")).version_id
    for address in (
        LINKS.document(version, span="5-999999999", page="999999"),
        LINKS.document(version, span="999999998-999999999"),
        LINKS.document(version, span="x", page="-1", marks=("bogus", "none")),
        LINKS.to("obligations", after="9999999.9999999.9"),
        LINKS.to("obligations", after="1.2", kind="bogus", force="bogus"),
        LINKS.to("obligations", "agreements", after="x"),
        LINKS.to("obligations", "agreements", after="9999999"),
        LINKS.to("obligations", "waivers", after="9999999", status="bogus"),
        LINKS.to("obligations", "calendar", month="2026-13"),
        LINKS.to("obligations", "calendar", month="0000-00"),
        LINKS.to("obligations", "calendar", month="9999-12"),
        LINKS.to("claims", page="1e9", kind="bogus", severity="<"),
        LINKS.to("documents", q="\u202e", role="bogus"),
    ):
        assert client.get(address.partition("#")[0]).status_code == 200, address


def test_an_id_of_an_earlier_generation_leads_there(client: TestClient, looked_at: Knowledge) -> None:
    """A link that somebody kept shows the same words, and says that there is a newer generation."""
    before, name = looked_at.view(CORPUS, 1), "incident-response-policy.md"
    version = next(v for v in before.documents.values() if v.name == name)
    old = next(e for e in before.extractions(version.document_id) if "within 72 hours" in e.source_text)
    place = LINKS.place(version.version_id, old.char_offset_start, old.char_offset_end, item=old.extraction_id)
    moved = client.get(place.partition("#")[0])
    assert moved.status_code == 302
    html = client.get(moved.headers["location"]).text
    assert "within 72 hours" in "".join(re.findall(r"<mark[^>]*>(.*?)</mark>", html, re.DOTALL))
    assert "You are looking at generation 1" in html
    assert client.get(LINKS.item(old.extraction_id)).headers["location"] == LINKS.at(1).item(old.extraction_id)


def test_a_record_is_what_its_id_is_the_hash_of(client: TestClient, looked_at: Knowledge) -> None:
    """The stored bytes can be had and hashed; the proof names the same hash, and the log's entry of the generation."""
    item = next(iter(looked_at.view(CORPUS).summary.claims))
    record = client.get(LINKS.item(item, "record"))
    digest = sha256(record.content).hexdigest()
    assert item.endswith(digest[:40])
    assert record.headers["etag"] == f'"{item}"'
    proof = client.get(LINKS.item(item, "proof")).text
    assert digest in proof
    assert "log.example.com/tests" in proof
    assert looked_at.view(CORPUS).manifest.build_id in proof


def test_references_and_terms_lead_to_what_they_mean(client: TestClient, looked_at: Knowledge) -> None:
    """A click on a reference goes to the section that it names; a click on a term to its definition."""
    name = "access-control-policy.md"
    version = looked_at.view(CORPUS).document(document(looked_at, name)).version_id
    links = _parsed(client.get(LINKS.document(version)).text).links
    followed = [link for link in links if "/follow" in link]
    leads = Counter(client.get(link).status_code for link in followed)
    assert leads[302] >= 5, leads
    term = next(link for link in followed if "term=" in link)
    target = client.get(term)
    landed = client.get(target.headers["location"].partition("#")[0]).text if target.is_redirect else target.text
    assert "means" in landed


def test_the_register_is_the_same_a_page_at_a_time(client: TestClient, looked_at: Knowledge) -> None:
    """Following the pages to the end gives every statement once, in the order of the register."""
    address, seen = LINKS.to("obligations"), list[str]()
    while address:
        html = client.get(address).text
        seen += re.findall(r"data-open dir=\"auto\">(.*?)</a>", html, re.DOTALL)
        address = next(
            (urljoin(address, u.replace("&amp;", "&")) for u in re.findall(r'rel="next" href="([^"]+)"', html)), ""
        )
    from coditect.knowledge.report.registers.selection import RegisterFilters

    kinds = frozenset({"obligation", "prohibition", "permission"})
    rows = list(looked_at.register(CORPUS, RegisterFilters(kinds=kinds)))  # type: ignore[arg-type]
    assert len(seen) == len(rows) > 100
    assert "".join(_parsed(seen[60]).text).startswith(rows[60].text[:40])


def test_the_register_shows_the_terms_of_each_statement(client: TestClient, looked_at: Knowledge) -> None:
    """Conditions and exceptions that JSON has stand in the line, and for how long."""
    from coditect.knowledge.report.registers.selection import RegisterFilters

    listed = list(looked_at.register(CORPUS, RegisterFilters(kinds=frozenset({"obligation"}))))
    rows = [each for each in listed if each.conditions or each.exceptions or each.duration]
    assert any(each.conditions for each in rows)
    assert any(each.exceptions for each in rows)
    document = max(rows, key=lambda each: (len(each.exceptions), len(each.conditions))).document
    html = client.get(LINKS.to("obligations", kind="obligation", document=document)).text
    text = _plain("".join(_parsed(html).text))
    shown = [each for each in rows if each.document == document and _plain(each.text)[:60] in text]
    assert shown
    for row in shown:
        assert all(_plain(each) in text for each in (*row.conditions, *row.exceptions, row.duration))


def _plain(text: str) -> str:
    return " ".join(text.split())


def test_agreements_are_cards_with_their_sentences(client: TestClient, looked_at: Knowledge) -> None:
    """Of documents that are named, whatever their role: each sentence is a link, and what is not said is told; pages go on."""
    rows = list(looked_at.agreements(CORPUS, documents=("*",)))
    assert len(rows) > 10
    html = client.get(LINKS.to("obligations", "agreements", document="*")).text
    text = _plain("".join(_parsed(html).text))
    assert all(_plain(each.title or each.document) in text for each in rows[:10])
    assert html.count("No sentence was found on") == sum(bool(each.silent) for each in rows[:10])
    said = [term.text for row in rows[:10] for term in row.terms]
    assert said
    assert all(_plain(each)[:60] in text for each in said)
    (following,) = re.findall(r'rel="next" href="([^"]+)"', html)
    assert rows[10].document in "".join(_parsed(client.get(following.replace("&amp;", "&")).text).text)
    assert "No document is a contract" not in html


def test_possible_conflicts_stand_beside_each_other(client: TestClient, looked_at: Knowledge) -> None:
    """Every pair with both sentences, in the order of the list; the page comes again until they are compared."""
    rows = looked_at.conflicts(CORPUS, limit=30)
    assert len(rows) > 5
    html = client.get(LINKS.to("conflicts")).text
    for _ in range(600):
        if "data-waits" not in html:
            break
        sleep(0.1)
        html = client.get(LINKS.to("conflicts")).text
    text = _plain("".join(_parsed(html).text))
    said = [_plain(side.text)[:60] for row in rows for side in (row.first, row.second)]
    assert [each for each in said if each not in text] == []
    assert text.index(said[0]) < text.index(said[-1])


def test_a_crosswalk_is_made_and_shown(client: TestClient) -> None:
    """Of a corpus whose id has spaces and other signs, with a document of its own; the page comes again until it is made."""
    address = LINKS.to("crosswalk", corpus=CORPUS, framework="acceptable-use-policy.html")
    for _ in range(600):
        answer = client.get(address)
        assert answer.status_code == 200
        if 'class="matrix"' in answer.text:
            head, _, folded = answer.text.partition("<summary>How it was made</summary>")
            assert "Compared by" in folded
            assert "Compared by" not in head
            assert "crosswalk/" not in _plain("".join(_parsed(head).text))
            return
        assert "It is being made." in answer.text
        sleep(0.1)
    pytest.fail("it was not made within a minute")


def test_a_crosswalk_that_is_ready_while_its_page_is_written_comes_again(
    looked_at: Knowledge, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page without the crosswalk asks for it once more, also if it is there by the time that the page is."""
    decided = crosswalk._decided

    def slowly(visit: Visit, work: MadeThing[Crosswalk]) -> Crosswalk | None:
        found = decided(visit, work)
        work.wait(60)
        return found

    monkeypatch.setattr(crosswalk, "_decided", slowly)
    address = LINKS.to("crosswalk", corpus=CORPUS, framework="acceptable-use-policy.html")
    with browsing(explorer(looked_at, tmp_path, visitor())) as browser:
        first, then = browser.get(address).text, browser.get(address).text
    assert ("data-waits" in first, 'http-equiv="refresh"' in first, 'class="matrix"' in first) == (True, True, False)
    assert ("data-waits" in then, 'http-equiv="refresh"' in then, 'class="matrix"' in then) == (False, False, True)


def test_changes_that_take_long_to_compare_are_told_as_such(
    looked_at: Knowledge, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody waits for a comparison without a word; it is made once, however many pages are read in between."""
    go, made, compared = Event(), list[str](), Knowledge.changes

    def slowly(knowledge: Knowledge, corpus: str, *, before: int, after: int) -> CorpusChanges:
        assert go.wait(60)
        made.append(corpus)
        return compared(knowledge, corpus, before=before, after=after)

    monkeypatch.setattr(Knowledge, "changes", slowly)
    monkeypatch.setattr(changes, "PATIENCE_S", 0.0)
    monkeypatch.setattr(visiting, "KEPT", 1)
    address = LINKS.to("changes")
    with browsing(explorer(looked_at, tmp_path, visitor())) as browser:
        first = browser.get(address).text
        assert "The two generations are being compared." in first
        assert 'http-equiv="refresh"' in first
        go.set()
        monkeypatch.setattr(changes, "PATIENCE_S", 60.0)
        assert "incident-response-policy.md" in browser.get(address).text
        for other in (LINKS.to(), LINKS.to("documents"), LINKS.to("obligations")):
            browser.get(other)
        assert "48" in browser.get(address).text
        assert browser.get(LINKS.to("changes", before=7, after=9)).status_code == 404
    assert made == [CORPUS, CORPUS]  # the second one is of generations that there are none of


def test_a_page_whose_work_breaks_says_so_and_comes_no_more(
    looked_at: Knowledge, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A fault of ours behind a page is told on it, and in the log; it does not load itself again for ever."""

    def breaks(*_: object, **__: object) -> None:
        raise ZeroDivisionError("a fault of ours")

    monkeypatch.setattr(Knowledge, "changes", breaks)
    monkeypatch.setattr(changes, "PATIENCE_S", 60.0)
    monkeypatch.setattr("coditect.knowledge.report.crosswalk.assembly.compare_with_framework", breaks)
    with browsing(explorer(looked_at, tmp_path, visitor())) as browser:
        compared = browser.get(LINKS.to("changes"))
        crossed = _made(browser, LINKS.to("crosswalk", corpus=CORPUS, framework="acceptable-use-policy.html"))
    assert compared.status_code == 500
    assert 'role="alert"' in crossed
    for page in (compared.text, crossed):
        assert "The operator&#39;s log says why." in page
        assert 'http-equiv="refresh"' not in page
    assert caplog.text.count("ZeroDivisionError: a fault of ours") == 2


def test_duties_over_time_are_a_picture_with_its_figures(
    looked_at: Knowledge, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bar for each generation that leads to its changes, up to the generation that is asked for."""
    monkeypatch.setattr(changes, "PATIENCE_S", 60.0)
    with browsing(explorer(looked_at, tmp_path, visitor())) as browser:
        page = browser.get(LINKS.to("changes", show="time")).text
        assert "Duties over time" in browser.get(LINKS.to("changes")).text
        assert "there is nothing before it" in browser.get(LINKS.to("changes", show="time", after=1)).text
    history = looked_at.duty_history(CORPUS)
    picture = page[page.index('<figure class="over-time"') : page.index("</figure>")]
    assert picture.count('<svg viewBox="0 0 100 8"') == len(history.points) > 0
    links = re.findall(r'href="([^"]+)"', picture)
    assert [f"after={each.state}" in link for each, link in zip(history.points, links, strict=True)] == [True] * len(
        links
    )


def test_duties_that_take_long_to_count_are_told_as_such(
    looked_at: Knowledge, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page comes again by itself, and nobody waits without a word."""
    go, counted = Event(), Knowledge.duty_history

    def slowly(knowledge: Knowledge, corpus: str, *, before: int, after: int) -> DutyHistory:
        assert go.wait(60)
        return counted(knowledge, corpus, before=before, after=after)

    monkeypatch.setattr(Knowledge, "duty_history", slowly)
    monkeypatch.setattr(changes, "PATIENCE_S", 0.0)
    with browsing(explorer(looked_at, tmp_path, visitor())) as browser:
        assert "The generations are being compared." in browser.get(LINKS.to("changes", show="time")).text
        go.set()
        monkeypatch.setattr(changes, "PATIENCE_S", 60.0)
        assert 'class="over-time"' in browser.get(LINKS.to("changes", show="time")).text
        assert browser.get(LINKS.to("changes", show="time", after=9)).status_code == 404


def test_readers_who_may_not_decide_have_no_form(looked_at: Knowledge, tmp_path: Path) -> None:
    """And a decision that they send all the same is refused."""
    with browsing(explorer(looked_at, tmp_path / "server", visitor(role="reader"))) as client:
        assert "<fieldset>" not in client.get(LINKS.to("review")).text
        assert LINKS.to("crosswalk") not in client.get(LINKS.to()).text
        item = next(iter(looked_at.view(CORPUS).summary.claims))
        before = len(looked_at.decisions(CORPUS))
        sent = client.post(LINKS.to("review"), data={"item": item, "decision": "dismiss", "meaning": "no"})
        assert sent.status_code == 403
        assert len(looked_at.decisions(CORPUS)) == before


def test_the_queue_tells_what_helps_to_decide(
    looked_at: Knowledge, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Beside the reason, as text; of what nothing is told there is no such line."""
    listed = looked_at.pending_reviews(CORPUS)
    with browsing(explorer(looked_at, tmp_path / "server", visitor("R. Viewer"))) as client:
        assert "To help decide" not in client.get(LINKS.to("review")).text
        hinted = [each.model_copy(update={"hint": "“stay” for <b>“are kept”</b>"}) for each in listed]
        monkeypatch.setattr(review, "pending_of", lambda _: hinted)
        assert "To help decide: “stay” for <b>“are kept”</b>" in "".join(
            _parsed(client.get(LINKS.to("review")).text).text
        )


def test_a_decision_is_signed_by_who_is_signed_in(own: Knowledge, tmp_path: Path) -> None:
    """The queue shows what waits with its evidence; a decision is stored once, says who and why, and goes on to the next."""
    with browsing(explorer(own, tmp_path / "server", visitor("R. Viewer"))) as client:
        client.follow_redirects = True
        possible = {each.claim_id for each in possible_in(own.view(CORPUS))}
        pending = own.pending_reviews(CORPUS)
        assert len([each for each in pending if each.item_id not in possible]) == 2
        html = client.get(LINKS.to("review")).text
        assert pending[0].reason in "".join(_parsed(html).text)
        item = next(each.item_id for each in pending if each.item_id.startswith("extraction_"))
        given = {
            "item": item,
            "decision": "accept",
            "meaning": "48 hours is what the <b>law</b> asks",
            "by": "Somebody Else",
        }
        answer = client.post(LINKS.to("review"), data=given)
        assert answer.status_code == 200
        assert "Signed by" in answer.text
        assert "the &lt;b&gt;law&lt;/b&gt; asks" in answer.text
        made = own.decisions(CORPUS)[-1].review
        assert (made.by, made.decision, made.signed_item) == ("R. Viewer", "accept", item)
        bad = client.post(
            LINKS.to("review"),
            data=given | {"decision": "correct", "changes": "actor = Nobody there"},
        )
        assert bad.status_code == 400
        assert "Not signed" in bad.text
        assert "actor = Nobody there" in bad.text


def test_a_row_of_a_crosswalk_is_decided_on_its_page(own: Knowledge, tmp_path: Path) -> None:
    """Both sides stand there; what was decided is on the matrix at once, and said to be wrong where it cannot be decided."""
    query = {"corpus": CORPUS, "framework": "acceptable-use-policy.html"}
    with browsing(explorer(own, tmp_path / "server", visitor("R. Viewer"))) as client:
        client.follow_redirects = True
        queue = _made(client, LINKS.to("crosswalk", "review", **query))
        (key,) = set(re.findall(r'name="row" value="([^"]+)"', queue))
        given = {"framework_corpus": CORPUS, "framework": query["framework"], "row": key, "by": "Somebody Else"}
        bad = client.post(LINKS.to("crosswalk", "review"), data=given | {"decision": "correct", "meaning": "no label"})
        assert bad.status_code == 400
        assert "Not signed" in bad.text
        said = {"decision": "correct", "label": "stricter", "meaning": "it <b>asks</b> more"}
        answer = client.post(LINKS.to("crosswalk", "review"), data=given | said)
        assert answer.status_code == 200
        assert "Signed by" in answer.text
        assert "it &lt;b&gt;asks&lt;/b&gt; more" in answer.text
        status = own.decisions(CORPUS)[-1]
        made = status.review
        assert made.row is not None
        assert (made.by, made.decision, made.changes, status.state) == (
            "R. Viewer",
            "correct",
            {"label": "stricter"},
            "in force",
        )
        shown = client.get(LINKS.to("crosswalk", "review", **query, row=key)).text
        assert "the rules say: " in shown
        assert "decided by <bdi>R. Viewer</bdi>" in client.get(LINKS.to("crosswalk", **query, label="stricter")).text
        undone = client.post(
            LINKS.to("crosswalk", "review"), data=given | {"decision": "withdraw", "meaning": "a mistake"}
        )
        assert undone.status_code == 200
        assert "the rules say: " not in client.get(LINKS.to("crosswalk", "review", **query, row=key)).text
        assert client.get(LINKS.to("crosswalk", "review", **query, row="nothing")).status_code == 404
        assert "Which crosswalk?" in client.get(LINKS.to("crosswalk", "review")).text
    with browsing(explorer(own, tmp_path / "reader", visitor("A. Reader", "analyst"))) as client:
        assert "takes the role of a reviewer" in _made(client, LINKS.to("crosswalk", "review", **query))
        assert client.post(LINKS.to("crosswalk", "review"), data=given | said).status_code == 403


def _made(client: TestClient, address: str) -> str:
    """A page whose work is done."""
    for _ in range(600):
        html = client.get(address).text
        if "data-waits" not in html:
            return html
        sleep(0.1)
    pytest.fail("it was not made within a minute")


def test_calendar_that_takes_long_to_read_says_so_and_comes_again(
    looked_at: Knowledge, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who opens it waits for a page, not for every document; the same address has the calendar as soon as it is read."""
    go = Event()

    def slowly(visit: Visit, progress: Progress) -> TimedDuties:
        progress("read", 2, 5)
        assert go.wait(60)
        return timed_duties(visit, progress)

    monkeypatch.setattr(obligations, "PATIENCE_S", 0.0)
    monkeypatch.setattr(obligations, "timed_duties", slowly)
    address = LINKS.to("obligations", "calendar", month="2027-03")
    with browsing(explorer(looked_at, tmp_path, visitor())) as browser:
        first = browser.get(address).text
        assert "It is being read." in first
        assert 'http-equiv="refresh"' in first
        go.set()
        monkeypatch.setattr(obligations, "PATIENCE_S", 60.0)
        then = browser.get(address).text
    assert "March 2027" in then
    assert 'http-equiv="refresh"' not in then
