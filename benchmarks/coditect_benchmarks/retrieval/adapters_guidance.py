"""Families whose questions are what a second text says of the first: guidance of controls, comments on rules, summaries.

Nobody asked these questions of a search, and nobody here wrote them: the publisher's own markup says which provision a sentence is
about. They stand beside the sets of :mod:`coditect_benchmarks.retrieval.adapters` in ``coditect_benchmarks.families`` alone.
"""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from coditect.errors import SchemaError, UsageError
from coditect_benchmarks.retrieval.adapters import Found, find_sets
from coditect_benchmarks.retrieval.formats import Document, Gold, Query, RetrievalSet

__all__ = ["cfpb", "find_families", "nist", "policies"]

CATALOGUE = "NIST_SP-800-53_rev5_catalog.json"
_EREGS = "{eregs}"
_COMMENT = re.compile(r"-Interp-\d+$")
_PARAMETER = re.compile(r"\{\{.*?\}\}")
_LINK = re.compile(r"\[([^\]]*)\]\(#[^)]*\)")
_SENTENCE = re.compile(r".+?[.?!](?=\s+[A-Z]|\s*$)", re.DOTALL)
_LEAST_WORDS = 8
"""A first sentence of fewer words ("None.") is no question."""


def find_families(folder: Path) -> Found:
    """All sets of a folder, those whose questions are guidance included, by name.

    Raises:
        UsageError: there is none.
    """
    guided: Found = {}
    for place in (folder, *sorted(each for each in folder.glob("*") if each.is_dir())):
        if (place / CATALOGUE).is_file():
            guided["nist"] = (nist, place)
        elif (place / "procedures").is_dir() and (place / "config.json").is_file():
            guided["policies"] = (policies, place)
        elif next(place.glob("10[0-9][0-9]-*.xml"), None):
            guided["cfpb"] = (cfpb, place)
    try:
        return find_sets(folder) | guided
    except UsageError:
        if not guided:
            raise
        return guided


def nist(folder: Path) -> RetrievalSet:
    """Each control of SP 800-53 as a document: its name and statement; the first sentence of its discussion is the question."""
    documents, queries, left_out = [], [], 0
    for control in _controls(_json(folder / CATALOGUE)["catalog"]):
        name = str(control["id"]).upper()
        parts = {str(part["name"]): part for part in control.get("parts", ())}
        if "statement" not in parts:
            continue  # withdrawn: it says where it went
        statement = _PARAMETER.sub("as defined by the organization", "\n".join(_prose(parts["statement"])))
        documents.append(Document(name, "", f"{name} {control['title']}\n\n{statement}\n"))
        asked = first_sentence(str(parts.get("guidance", {}).get("prose", "")))
        queries += [Query(asked, (Gold(name),))] if asked else []
        left_out += not asked
    note = "the first sentence of a control's discussion finds the control"
    return RetrievalSet("nist", tuple(documents), tuple(queries), left_out, note=note)


def policies(folder: Path) -> RetrievalSet:
    """Each procedure as a document; its summary in the configuration, which the file does not hold, is the question."""
    documents, queries, left_out = [], [], 0
    for row in _json(folder / "config.json")["procedures"]:
        path = folder / f"{row['file']}.tmpl"
        if not path.is_file():
            continue
        text = path.read_text(encoding="utf-8")
        documents.append(Document(str(row["id"]), "", text))
        summary = str(row.get("summary", "")).strip()
        if len(summary.split()) >= _LEAST_WORDS and summary not in text:
            queries.append(Query(summary, (Gold(str(row["id"])),)))
        else:
            left_out += 1
    return RetrievalSet("policies", tuple(documents), tuple(queries), left_out)


def cfpb(folder: Path) -> RetrievalSet:
    """Regulations with official comments: each regulation without them a document, the first sentence of a comment a question.

    Gold is the paragraph that the markup says the comment interprets.
    """
    documents, queries, left_out = [], [], 0
    for path in sorted(folder.glob("*.xml")):
        root = _xml(path)
        lines: list[str] = []
        spans: dict[str, tuple[int, int]] = {}
        for section in root.iter(f"{_EREGS}section"):
            _printed(section, lines, spans)
        comments = list(_comments(root))
        if not comments:
            continue
        documents.append(Document(path.stem, "", "".join(lines)))
        for target, asked in comments:
            if asked and target in spans:
                queries.append(Query(asked, (Gold(path.stem, *spans[target]),)))
            else:
                left_out += 1
    return RetrievalSet("cfpb", tuple(documents), tuple(queries), left_out)


def first_sentence(text: str) -> str:
    """The first sentence of a text, on one line; "" where it has less than eight words."""
    text = _LINK.sub(r"\1", text)
    found = _SENTENCE.match(text.strip())
    sentence = " ".join((found[0] if found else text).split())
    return sentence if len(sentence.split()) >= _LEAST_WORDS else ""


def _controls(group: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Controls and enhancements, in order."""
    for each in group.get("groups", ()):
        yield from _controls(each)
    for each in group.get("controls", ()):
        yield each
        yield from _controls(each)


def _prose(part: dict[str, Any]) -> Iterator[str]:
    """A part's own words and those of its parts, a line each, with their labels."""
    labels = [str(each["value"]) for each in part.get("properties", ()) if each.get("name") == "label"]
    if part.get("prose"):
        yield " ".join((*labels, str(part["prose"])))
    for each in part.get("parts", ()):
        yield from _prose(each)


def _printed(element: ET.Element, lines: list[str], spans: dict[str, tuple[int, int]]) -> None:
    """Print a section or paragraph with all below it, and note where each label's text stands, in code points."""
    start = sum(map(len, lines))
    marker, label = element.get("marker", ""), element.get("label", "")
    for child in element:
        kind = child.tag.removeprefix(_EREGS)
        if kind in ("subject", "title", "content"):
            text = " ".join("".join(child.itertext()).split())
            lines += [f"{marker} {text}".strip() + "\n\n"] if text else []
            marker = ""
        elif kind == "paragraph":
            _printed(child, lines, spans)
    end = sum(map(len, lines))
    if label and end > start:
        spans[label] = (start, end)


def _comments(root: ET.Element) -> Iterator[tuple[str, str]]:
    """(label of the paragraph, first sentence) of each comment that stands below a paragraph's heading."""
    for about in root.iter(f"{_EREGS}interpParagraph"):
        target = about.get("target", "")
        for comment in about if target else ():
            if _COMMENT.search(comment.get("label", "")):
                content = comment.find(f"{_EREGS}content")
                yield target, first_sentence("" if content is None else "".join(content.itertext()))


def _json(path: Path) -> dict[str, Any]:
    try:
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise SchemaError("not JSON", file=path.name, reason=str(error)[:200]) from error
    return found


def _xml(path: Path) -> ET.Element:
    try:
        return ET.fromstring(path.read_bytes())  # noqa: S314 - published material that the user names
    except ET.ParseError as error:
        raise SchemaError("not XML", file=path.name, reason=str(error)[:200]) from error
