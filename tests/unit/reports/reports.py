"""A small report made by hand, and what every rendered page must hold to."""

from __future__ import annotations

import re
from typing import Any

from lxml import html
from lxml.html import HtmlElement

from coditect.reports.model import (
    AuditReport,
    Place,
    ReportChunk,
    ReportCitation,
    ReportClaim,
    ReportCounts,
    ReportDocument,
    ReportExtraction,
    ReportMethod,
    ReportPart,
    ReportPassage,
    ReportSection,
)
from coditect.schemas import BuildSettings, ClaimKind, ExtractionKind, Generation, Signal

HEX = "ab" * 32
BUILD = "build_0123456789ab0123456789abcdef0123456789ab"


def found(tree: HtmlElement, path: str) -> list[HtmlElement]:
    """The elements at an XPath."""
    result = tree.xpath(path)
    assert isinstance(result, list)
    return [each for each in result if isinstance(each, HtmlElement)]


def strings(tree: HtmlElement, path: str) -> list[str]:
    """The attribute values or texts at an XPath."""
    result = tree.xpath(path)
    assert isinstance(result, list)
    return [str(each) for each in result]


def text_at(tree: HtmlElement, path: str) -> str:
    """The text of the one element at an XPath."""
    (element,) = found(tree, path)
    return str(element.text_content())


def assert_self_contained(page: str) -> HtmlElement:
    """The parsed page: its ids are unique, its links lead to them, and nothing in it comes from anywhere else."""
    tree = html.document_fromstring(page.encode())
    ids = strings(tree, "//@id")
    assert len(ids) == len(set(ids))
    links = strings(tree, "//@href")
    assert links
    assert all(link.startswith("#") for link in links)
    assert {link[1:] for link in links} <= set(ids)
    assert not strings(tree, "//@src | //@srcset | //@action | //@data | //@poster | //@background")
    assert not strings(tree, "//link | //img | //iframe | //object | //embed | //base | //form")
    assert not strings(tree, "//@*[starts-with(name(), 'on')]")
    assert len(found(tree, "//script")) == 1
    assert not re.search(r"url\s*\(|@import", "".join(strings(tree, "//style/text()")))
    (policy,) = strings(tree, "//meta[@http-equiv='Content-Security-Policy']/@content")
    assert policy.startswith("default-src 'none';")
    assert tree.get("lang") == "en"
    return tree


def passage(number: int, text: str, **changes: object) -> ReportPassage:
    """A passage at offset 100 with an extraction of its whole text and one of its first word."""
    end = 100 + len(text)
    word = text.split()[0]
    fields: dict[str, Any] = {
        "number": number,
        "text": text,
        "place": Place(
            document_id="document_1",
            document_name="policy.md",
            version_id="version_1",
            raw_sha256=HEX,
            char_start=100,
            char_end=end,
            page=2,
            last_page=3,
            headings=("4 Access", "4.1"),
        ),
        "before": "Just before. ",
        "after": " Just after.",
        "begins_document": False,
        "ends_document": True,
        "chunk": ReportChunk(
            chunk_id="chunk_1",
            heading="4 Access",
            char_start=90,
            char_end=900,
            method="textrank",
            sentence_count=9,
            rank=1,
            salience=1.0,
        ),
        "extractions": (
            _extraction(
                "obligation",
                text,
                100,
                end,
                {"actor": "The owner", "deadline": {"text": "30 days", "start": 1, "end": 8}},
            ),
            _extraction("quantity", word, 100, 100 + len(word), {}),
        ),
    }
    return ReportPassage(**{**fields, **changes})


def _extraction(kind: ExtractionKind, text: str, start: int, end: int, data: dict[str, Any]) -> ReportExtraction:
    return ReportExtraction(
        extraction_id=f"extraction_{start}_{end}",
        kind=kind,
        text=text,
        char_start=start,
        char_end=end,
        data=data,
        entities=("The owner",),
        confidence=0.9,
    )


def claim(number: int, kind: ClaimKind, text: str, passages: tuple[int, ...], **changes: object) -> ReportClaim:
    """A claim that cites the quotes of section 1 with these passage numbers."""
    fields: dict[str, Any] = {
        "number": number,
        "claim_id": f"claim_{number}",
        "verdict_id": f"verdict_{number}",
        "kind": kind,
        "text": text,
        "topic": "access",
        "published": True,
        "label": "supported",
        "support_score": 1.0,
        "confidence": 0.9,
        "reason": "",
        "checker": "deterministic/1",
        "signals": (Signal(name="cited", passed=True), Signal(name="verbatim", passed=True)),
        "citations": tuple(
            ReportCitation(section_id="section_1", section=1, part=each, passage=each) for each in passages
        ),
        "recipe": {},
    }
    return ReportClaim(**{**fields, **changes})


def report(texts: tuple[str, ...] = ("The owner shall review access.",), **changes: object) -> AuditReport:
    """A report with one section of a synthetic part and these quotes, and one claim on the first."""
    passages = tuple(passage(number, text) for number, text in enumerate(texts, 1))
    parts = (
        ReportPart(type="synthetic", text="What the documents require:"),
        *(ReportPart(type="extractive", text=each.text, passage=each.number) for each in passages),
    )
    section = ReportSection(
        number=1,
        section_id="section_1",
        kind="topic",
        topic="access",
        document_count=1,
        quoted_document_count=1,
        chunk_count=1,
        synthesis_ratio=0.125,
        max_synthesis_ratio=0.2,
        parts=parts,
    )
    document = ReportDocument(
        number=1,
        document_id="document_1",
        version_id="version_1",
        name="policy.md",
        title="Policy",
        media_type="text/markdown",
        page_count=0,
        text_length=5000,
        raw_bytes=5100,
        raw_sha256=HEX,
        text_sha256=HEX,
        reader="markdown/2",
        warnings=("a table was flattened",),
        aliases=("copy.md",),
        extractions={"obligation": 1, "quantity": 2},
        chunk_count=1,
    )
    generation = Generation(
        corpus_id="demo",
        generation=1,
        build_id=BUILD,
        created_at="2026-01-02T03:04:05Z",
        tool_version="0.1.0",
        derived={},
        reused={},
    )
    fields: dict[str, Any] = {
        "corpus_id": "demo",
        "corpus_name": "Demo",
        "generation": 1,
        "build_id": BUILD,
        "built_at": "2026-01-02T03:04:05Z",
        "built_by": "0.1.0",
        "generated_at": "2026-02-03T04:05:06Z",
        "generated_by": "0.1.0",
        "summary_id": "summary_1",
        "counts": ReportCounts(
            documents=1, pages=0, characters=5000, extractions=3, extractions_by_kind={"obligation": 1, "quantity": 2},
            chunks=1, sections=1, published=1, refused=0, failures=0,
        ),
        "claims": (claim(1, "requirement", "policy.md: The owner shall review access.", (1,)),),
        "refused": (),
        "sections": (section,),
        "passages": passages,
        "documents": (document,),
        "failures": (),
        "method": ReportMethod(
            settings=BuildSettings(),
            code_versions={"chunks": "tier2/1"},
            checkers=("deterministic/1",),
            history=(generation,),
        ),
    }  # fmt: skip
    return AuditReport(**{**fields, **changes})
