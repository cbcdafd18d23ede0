"""The explorer in Chromium: accessible, quiet under its policy, usable by keyboard, on wide and narrow screens, light and dark."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

import pytest

from coditect.knowledge.progress import Progress
from coditect.knowledge.service import Knowledge
from coditect.server.explorer.links import PageLinks
from coditect.server.explorer.routes import obligations
from coditect.server.explorer.shown.registers.calendar import TimedDuties, timed_duties
from coditect.server.explorer.visit import Visit
from tests.integration.explorer.application import explorer, serving, visitor
from tests.integration.explorer.browsers import AXE, MISSING, chromium, violations
from tests.integration.explorer.corpus import CORPUS, EVIL_NAME, document, extraction_with

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Dialog, Page

pytestmark = [pytest.mark.skipif(bool(MISSING), reason=MISSING or "there is a browser"), pytest.mark.slow]

LINKS = PageLinks("/explorer", CORPUS)

SCREENS = [(1280, "light"), (1280, "dark"), (390, "light"), (390, "dark")]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One for all tests."""
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def host(looked_at: Knowledge, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the explorer, to look at."""
    with serving(explorer(looked_at, tmp_path_factory.mktemp("server"), visitor())) as found:
        yield found


def _pages(knowledge: Knowledge) -> dict[str, str]:
    """Every page of the explorer, by name."""
    view = knowledge.view(CORPUS)
    claim = next(c for c in view.summary.claims if len(view.claims[c].citations) > 1)
    item = extraction_with(knowledge, EVIL_NAME, lambda e: "every Evil term" in e.source_text).extraction_id
    versions = {v.name: v.version_id for v in view.documents.values()}
    everything = ("obligation", "prohibition", "permission", "definition", "cross_reference", "quantity", "proposition")
    reader = {
        f"reader of {name}": LINKS.document(versions[name], marks=everything)
        for name in (
            "data-processing-agreement.pdf",
            "privacy-policy.html",
            "business-continuity-policy.docx",
            "information-security-policy.md",
            "control-register.xlsx",
            "exceptions-register.csv",
            "security-committee-minutes-2026-09.txt",
            EVIL_NAME,
        )
    }
    return reader | {
        "corpora": "/explorer/",
        "overview": LINKS.to(),
        "findings": LINKS.to("claims"),
        "refused": LINKS.to("claims", show="refused"),
        "documents": LINKS.to("documents"),
        "sections": LINKS.to("sections"),
        "search": LINKS.to("search"),
        "answers": LINKS.to("search", q="how soon is a breach reported", mode="lexical"),
        "silent": LINKS.to("search", q="penguin husbandry"),
        "claim": LINKS.item(claim),
        "section": LINKS.item(view.sections[0].section_id),
        "extraction": LINKS.item(item),
        "references": LINKS.item(item, "follow", list=True),
        "proof": LINKS.item(claim, "proof"),
        "beside a claim": LINKS.to("documents", versions["information-security-policy.md"], claim=claim),
        "review": LINKS.to("review"),
        "review of a statement": LINKS.to("review", item=item),
        "changes": LINKS.to("changes"),
        "what rests on changes": LINKS.to("changes", show="affected"),
        "duties over time": LINKS.to("changes", show="time"),
        "place in a PDF": LINKS.place(versions["data-processing-agreement.pdf"], 700, 900),
        "crosswalk": LINKS.to("crosswalk"),
        "matrix": LINKS.to("crosswalk", corpus=CORPUS, framework="acceptable-use-policy.html"),
        "rows that wait": LINKS.to("crosswalk", "review", corpus=CORPUS, framework="acceptable-use-policy.html"),
        "obligations": LINKS.to("obligations"),
        "exceptions": LINKS.to("obligations", "waivers", status="rule"),
        "agreements": LINKS.to("obligations", "agreements", document="*"),
        "calendar": LINKS.to("obligations", "calendar", month="2027-03"),
        "earlier generation": LINKS.at(1).to(),
        "error": "/explorer/c/nothing",
    }


@pytest.mark.parametrize(("width", "scheme"), SCREENS)
def test_every_page_is_accessible_and_quiet(
    browser: Browser, host: str, looked_at: Knowledge, width: int, scheme: str
) -> None:
    """axe-core finds nothing, nothing is wider than the screen, the policy is not broken, and no dialog opens."""
    if AXE is None:
        pytest.skip("axe-core is not here: npm install --no-save axe-core, or CODITECT_TEST_AXE")
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page, said = context.new_page(), list[str]()
    page.on("console", lambda message: said.append(message.text) if message.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: said.append(str(error)))

    def dismissed(dialog: Dialog) -> None:
        said.append(f"dialog {dialog.message}")
        dialog.dismiss()

    page.on("dialog", dismissed)
    wrong: dict[str, object] = {}
    for name, address in _pages(looked_at).items():
        said.clear()
        page.goto(host + address)
        if name == "matrix":
            page.wait_for_selector(".matrix", timeout=120_000)
        found: list[object] = [*violations(page), *(each for each in said if "404" not in each)]
        if page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth"):
            found.append("wider than the screen")
        if found:
            wrong[name] = found
    context.close()
    assert wrong == {}


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A fresh window."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    yield context.new_page()
    context.close()


def test_search_by_keyboard_alone(page: Page, host: str) -> None:
    """From the overview: "/", words, Enter; "j" and Enter open an answer, with the words in sight."""
    page.goto(host + LINKS.to())
    page.keyboard.press("/")
    page.keyboard.type("how soon is a breach reported")
    page.keyboard.press("Enter")
    page.wait_for_selector(".hit-row")
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("k")
    assert page.evaluate("document.activeElement.closest('li') === document.querySelector('.hit-row')")
    said = page.inner_text(".hit-row mark")
    page.keyboard.press("Enter")
    page.wait_for_selector("#here")
    assert page.evaluate("document.querySelector('#here').getBoundingClientRect().top < innerHeight")
    assert page.inner_text(".sheet mark").split()[:4] == said.split()[:4]


def test_keys_can_be_switched_off(page: Page, host: str) -> None:
    """For who speaks to the computer: single letters then do nothing; WCAG 2.1.4."""
    page.goto(host + LINKS.to())
    page.click(".shortcuts summary")
    page.click("[data-keys]")
    page.reload()
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.tagName") == "BODY"


@pytest.mark.parametrize(
    "name",
    [
        "data-processing-agreement.pdf",
        "privacy-policy.html",
        "business-continuity-policy.docx",
        "information-security-policy.md",
    ],
)
def test_from_the_summary_to_the_place_with_the_mouse(page: Page, host: str, looked_at: Knowledge, name: str) -> None:
    """Overview, findings, a finding, the place: three clicks, and the words stand highlighted on the screen."""
    view = looked_at.view(CORPUS)
    cited = {
        c.claim_id
        for c in view.claims.values()
        for source in c.citations
        if (citation := view.section_by_id[source.section_id].content[source.part].citation) is not None
        and citation.document_name == name
    }
    clicks = 0
    page.goto(host + LINKS.to())
    hrefs = {claim: f'a[href="{LINKS.item(claim)}"]' for claim in cited}
    if not any(page.query_selector(each) for each in hrefs.values()):
        page.goto(host + LINKS.to("documents"))
        page.click(f'tr th a:has-text("{name}")')
        clicks += 1
    link = next(each for each in hrefs.values() if page.query_selector(each))
    page.click(link)
    page.click(f'.quote figcaption a:has-text("{name}")')
    clicks += 2
    assert clicks <= 3
    page.wait_for_selector("#here", state="attached")
    top = page.evaluate("document.querySelector('#here').getBoundingClientRect().top")
    assert 0 <= top <= 900
    if name.endswith(".pdf"):
        _see_the_words_on_the_picture(page)
        assert page.inner_text("#here-as-text").strip()
    else:
        assert page.inner_text("#here").strip()


def _see_the_words_on_the_picture(page: Page) -> None:
    """The picture of the page is there, of its shape, and the rectangles lie over the highlight's words in the text layer."""
    said = page.evaluate(
        """async () => {
            const picture = document.querySelector(".sheet-image image"), loaded = new Image();
            loaded.src = picture.href.baseVal;
            await loaded.decode();
            const shape = picture.getBoundingClientRect();
            const boxes = [...document.querySelectorAll("#here rect")].map(each => each.getBoundingClientRect());
            const words = [...document.querySelectorAll(".sheet-image text")].filter(each => {
                const line = each.getBoundingClientRect(), middle = (line.top + line.bottom) / 2;
                return boxes.some(b => b.top <= middle && middle <= b.bottom && b.left < line.right && line.left < b.right);
            });
            return {wide: loaded.naturalWidth,
                    odd: Math.abs(loaded.naturalWidth / loaded.naturalHeight - shape.width / shape.height),
                    within: boxes.every(b => b.left >= shape.left - 1 && b.right <= shape.right + 1), count: boxes.length,
                    lines: words.map(each => each.textContent).join(" ")};
        }"""
    )
    assert said["wide"] == 1400
    assert said["odd"] < 0.01
    assert said["within"]
    assert said["count"] > 0
    squeezed = "".join(page.inner_text("#here-as-text").split())
    assert squeezed[:40] in "".join(said["lines"].split())


def test_a_page_that_waits_is_accessible_and_comes_again(
    browser: Browser, looked_at: Knowledge, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It says how far the work is without being loaded again, which would take the focus away, until there is something to show."""
    go, told = Event(), Event()

    def slowly(visit: Visit, progress: Progress) -> TimedDuties:
        progress("read", 2, 5)
        told.wait(60)
        progress("read", 3, 5)
        assert go.wait(60)
        return timed_duties(visit, progress)

    monkeypatch.setattr(obligations, "PATIENCE_S", 0.0)
    monkeypatch.setattr(obligations, "timed_duties", slowly)
    context = browser.new_context(viewport={"width": 390, "height": 900})
    page, loads = context.new_page(), list[str]()
    page.on("load", lambda each: loads.append(each.url))
    with serving(explorer(looked_at, tmp_path, visitor())) as host:
        page.goto(host + LINKS.to("obligations", "calendar", month="2027-03"))
        page.wait_for_selector("[data-waits]:has-text('2 of 5')")
        assert AXE is None or violations(page) == []
        told.set()
        page.wait_for_selector("[data-waits]:has-text('3 of 5')")
        assert len(loads) == 1
        monkeypatch.setattr(obligations, "PATIENCE_S", 60.0)
        go.set()
        page.wait_for_selector("table.month")
        assert len(loads) == 2
    context.close()


def test_without_script_everything_is_still_there(browser: Browser, host: str, looked_at: Knowledge) -> None:
    """Search, turn a page, open a place, and see the form of a review."""
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(host + LINKS.to())
    page.fill("#find", "audit logs")
    page.press("#find", "Enter")
    page.click(".hit-row a")
    page.wait_for_selector("#here")
    version = looked_at.view(CORPUS).document(document(looked_at, "data-processing-agreement.pdf")).version_id
    page.goto(host + LINKS.document(version))
    page.click('a[rel="next"]')
    assert "Page 2 of" in page.inner_text("main")
    page.goto(host + LINKS.to("review"))
    assert page.query_selector("form.sign button") is not None
    context.close()


def test_decide_and_sign_with_two_keys(browser: Browser, own: Knowledge, tmp_path: Path) -> None:
    """In the queue "a" picks the decision and Enter signs; the page goes on to the next."""
    with serving(explorer(own, tmp_path / "server", visitor("K. Eyboard"))) as host:
        page = browser.new_page()
        page.goto(host + LINKS.to("review"))
        before = len(own.decisions(CORPUS))
        item = page.get_attribute('input[name="item"]', "value")
        page.keyboard.press("a")
        page.keyboard.press("Enter")
        page.wait_for_selector(".notice.is-good")
        assert page.get_attribute('input[name="item"]', "value") != item
        page.close()
    decisions = own.decisions(CORPUS)
    assert len(decisions) == before + 1
    made = decisions[-1].review
    assert (made.by, made.decision, made.signed_item) == ("K. Eyboard", "accept", item)


def test_picture_of_a_page_prints_with_its_highlight(page: Page, host: str, looked_at: Knowledge) -> None:
    """On paper a PDF is the page as it looks; the words as text, which say the same, are left out, and so are marks."""
    view = looked_at.view(CORPUS)
    version = view.document(document(looked_at, "data-processing-agreement.pdf"))
    page.goto(host + LINKS.place(version.version_id, 10, 60))
    page.emulate_media(media="print")
    assert page.is_visible(".sheet-image image")
    assert page.is_visible("#here rect")
    assert not page.is_visible("article.sheet")


def test_a_page_prints_without_its_tools(page: Page, host: str, looked_at: Knowledge) -> None:
    """On paper there is the text, and no form, switch or menu."""
    version = looked_at.view(CORPUS).document(document(looked_at, "encryption-standard.md")).version_id
    page.goto(host + LINKS.document(version))
    page.emulate_media(media="print")
    shown = page.evaluate(
        "[...document.querySelectorAll('.bar, .tabs, .switch, .find')].filter(e => e.offsetParent).length"
    )
    assert shown == 0
    assert page.is_visible(".sheet")


def test_what_is_only_read_aloud_makes_no_narrow_page_wider(browser: Browser, host: str) -> None:
    """Captions that nobody sees may be as long as the title of a contract, also where tables are shown as blocks."""
    page = browser.new_page(viewport={"width": 390, "height": 900})
    page.goto(f"{host}{LINKS.to('obligations', 'agreements', document='*')}")
    captions = page.locator("table.stack caption.unseen")
    assert captions.count() > 0
    captions.evaluate_all("(all) => all.forEach((each) => { each.textContent = 'What it says '.repeat(40); })")
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    page.close()
