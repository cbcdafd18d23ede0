"""Rectangles and pictures of pages: the use cases, the API and the explorer's reader, over one small PDF."""

from __future__ import annotations

import asyncio
import struct
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from coditect import Settings, open_knowledge
from coditect.documents.layout import encode_layout
from coditect.documents.readers import read_source
from coditect.errors import NotFound, UsageError
from coditect.knowledge.async_store import HierarchicalKnowledgeStore
from coditect.knowledge.pages.desk import PageDesk
from coditect.knowledge.service import Knowledge
from coditect.schemas import BuildSettings, DocumentVersion, document_id_for, sha256_hex
from coditect.server.explorer.links import PageLinks
from coditect.store.intake.documents import IntakeWriter
from tests.integration.explorer.application import browsing, explorer, visitor
from tests.places import url_at
from tests.unit.documents.documents import pdf

CORPUS = "pages"
FIRST, SECOND = "The clerk shall sign each page within 3 days.", "The auditor shall keep every page for 7 years."
RAW = pdf([[(72, 700, FIRST)], [(72, 650, SECOND)]])


@pytest.fixture(scope="module")
def knowledge(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Knowledge]:
    """A PDF of two pages, and a document without pages."""
    folder = tmp_path_factory.mktemp("pages")
    (folder / "in").mkdir()
    (folder / "in" / "duties.pdf").write_bytes(RAW)
    (folder / "in" / "plain.md").write_text("# Plain\n\nThe clerk shall read this.\n", "utf-8")
    with open_knowledge(Settings(store=url_at(folder / "store"), cache=folder / "cache", jobs=1)) as opened:
        opened.ingest(CORPUS, [folder / "in"])
        opened.build(CORPUS, BuildSettings(today="2026-11-01"))
        yield opened


def _version(knowledge: Knowledge, name: str = "duties.pdf") -> DocumentVersion:
    return next(v for v in knowledge.view(CORPUS).documents.values() if v.name == name)


def _span(knowledge: Knowledge, words: str) -> tuple[int, int]:
    start = knowledge.view(CORPUS).text_of(_version(knowledge)).index(words)
    return start, start + len(words)


def test_rectangles_are_on_the_page_of_the_words(knowledge: Knowledge) -> None:
    """Of the document and of its version alike, also through the async interface; none where there are no pages."""
    version = _version(knowledge)
    [page] = knowledge.rectangles(CORPUS, version.version_id, *_span(knowledge, "auditor"))
    assert (page.page, page.width, page.height) == (2, 612.0, 792.0)
    [(left, top, right, bottom)] = page.rectangles
    assert 72 < left < right < 140
    assert top < 792 - 650 < bottom
    store = HierarchicalKnowledgeStore(knowledge)
    assert asyncio.run(store.rectangles(CORPUS, version.document_id, *_span(knowledge, "auditor"))) == [page]
    assert knowledge.rectangles(CORPUS, _version(knowledge, "plain.md").version_id, 0, 5) == []


def test_picture_is_a_png_and_the_same_each_time(knowledge: Knowledge) -> None:
    """Of the width that was asked for, drawn anew by another desk."""
    version = _version(knowledge)
    picture = knowledge.page_image(CORPUS, version.document_id, 2, width_px=400)
    assert picture.startswith(b"\x89PNG")
    wide, high = struct.unpack(">II", picture[16:24])
    assert (wide, round(high / wide, 2)) == (400, round(792 / 612, 2))
    for asked in (201, 1400, 2400):
        drawn = knowledge.page_image(CORPUS, version.document_id, 2, width_px=asked)
        assert struct.unpack(">I", drawn[16:20]) == (asked,)
    assert PageDesk(knowledge.read_budget).picture(knowledge.store, version, 2, 400) == picture
    assert (
        asyncio.run(HierarchicalKnowledgeStore(knowledge).page_image(CORPUS, version.document_id, 1, width_px=400))
        != picture
    )


def test_what_is_not_there_is_refused(knowledge: Knowledge) -> None:
    """A span outside of the text, a page that there is not, a format without pages, an unknown document."""
    version = _version(knowledge)
    for start, end in ((0, version.text_length + 1), (5, 4), (-1, 3)):
        with pytest.raises(UsageError, match="no such span"):
            knowledge.rectangles(CORPUS, version.version_id, start, end)
    for page in (0, 3, 2_000_000):
        with pytest.raises(NotFound, match="no such page"):
            knowledge.page_image(CORPUS, version.version_id, page)
    with pytest.raises(UsageError, match="only pages of a PDF"):
        knowledge.page_image(CORPUS, _version(knowledge, "plain.md").version_id, 1)
    with pytest.raises(NotFound, match="unknown document"):
        knowledge.rectangles(CORPUS, "document_0", 0, 1)


@pytest.mark.parametrize("same_text", [True, False])
def test_document_of_an_earlier_release_is_read_again(knowledge: Knowledge, same_text: bool) -> None:
    """Its places count where the file gives the stored text, and only there."""
    version = _version(knowledge)
    source = read_source(RAW, "duties.pdf")
    layout = encode_layout(replace(source, places=""))
    text = source.text if same_text else source.text.replace("clerk", "clark")
    fields = {
        name: getattr(version, name) for name in DocumentVersion.model_fields if name not in ("version_id", "salt")
    }
    fields |= {"corpus_id": "earlier", "document_id": document_id_for("earlier", "duties.pdf"), "reader": "pdf/2"}
    fields |= {"layout_sha256": sha256_hex(layout), "layout_bytes": len(layout)}
    fields |= {"text_sha256": sha256_hex(text.encode()), "text_bytes": len(text.encode())}
    former = DocumentVersion.create(**fields)
    writer = IntakeWriter(knowledge.store, "earlier")
    writer.put_version(former, RAW, text.encode(), layout)
    writer.flush()
    found = PageDesk(knowledge.read_budget).rectangles(knowledge.store, former, *_span(knowledge, "clerk"))
    now = knowledge.rectangles(CORPUS, version.version_id, *_span(knowledge, "clerk"))
    assert found == (now if same_text else [])


def test_api_answers_with_both(knowledge: Knowledge, tmp_path: Path) -> None:
    """The JSON of the records, and PNG with a tag that never changes; problems for what is not there."""
    version = _version(knowledge)
    start, end = _span(knowledge, "auditor")
    base = f"/api/v1/corpora/{CORPUS}/documents/{version.version_id}"
    with browsing(explorer(knowledge, tmp_path / "server", visitor())) as client:
        answer = client.get(f"{base}/rectangles?start={start}&end={end}")
        assert answer.status_code == 200
        assert [each["page"] for each in answer.json()] == [2]
        picture = client.get(f"{base}/pages/2/image?width_px=400")
        assert (picture.status_code, picture.headers["content-type"]) == (200, "image/png")
        again = client.get(f"{base}/pages/2/image?width_px=400", headers={"if-none-match": picture.headers["etag"]})
        assert again.status_code == 304
        assert client.get(f"{base}/pages/3/image").status_code == 404
        assert client.get(f"{base}/pages/1/image?width_px=99999").status_code == 422
        assert client.get(f"{base}/rectangles?start=0&end=99999").status_code == 400


def test_reader_shows_the_page_with_the_words_highlighted(knowledge: Knowledge, tmp_path: Path) -> None:
    """The picture, a rectangle at the words, the same words as text below; without script and without inline style."""
    version = _version(knowledge)
    links = PageLinks("/explorer", CORPUS)
    start, end = _span(knowledge, "auditor shall")
    [place] = knowledge.rectangles(CORPUS, version.version_id, start, end)
    left, top, right, bottom = place.rectangles[0]
    with browsing(explorer(knowledge, tmp_path / "server", visitor())) as client:
        page = client.get(links.place(version.version_id, start, end).partition("#")[0]).text
        assert f'x="{left}" y="{top}" width="{right - left}" height="{bottom - top}"' in page
        assert '<g id="here"' in page
        assert 'id="here-as-text"' in page
        assert page.count('id="here"') == 1
        assert " style=" not in page
        picture = client.get(links.document(version.version_id, "pages", "2.png"))
        assert (picture.status_code, picture.headers["content-type"]) == (200, "image/png")
        assert client.get(links.document(version.version_id, "pages", "9.png")).status_code == 404
