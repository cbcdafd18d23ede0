"""Regulatory rulebooks with questions (ObliQA, dev split), as two sets: each passage a document, and each rulebook a document.

The folder is a checkout of the data set's repository, or as much of it as is read: ``ObliQA_dev.json``,
``StructuredRegulatoryDocuments/N.json`` and ``scripts/StandartizedRegulatoryDocumentsTXT/NAME.txt``. Half of its documents are for
development: those the SHA-1 of whose name begins with an even byte. The other half, and the questions of the test split, are for
acceptance, and no adapter reads them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from coditect.errors import SchemaError
from coditect_benchmarks.retrieval.formats import Document, Gold, Query, RetrievalSet

__all__ = ["DEVELOPMENT", "is_rulebooks", "rulebook_passages", "rulebooks"]

QUESTIONS = "ObliQA_dev.json"
PASSAGES = "StructuredRegulatoryDocuments"
TEXTS = Path("scripts", "StandartizedRegulatoryDocumentsTXT")

DEVELOPMENT = {
    4: "FEES_VER16.181223",
    6: "FUNDS_VER08.040723",
    7: "GEN_VER08.181223",
    9: "IFR_VER07.181223",
    10: "MIR_VER07.181223",
    16: "Foreign Tax Account Compliance Regulations 2022",
    17: "FSMR (Consolidated_December 2023)",
    18: "Guidance – Regulatory Framework for Fund Managers of Venture Capital Funds (VER03.181223)",
    19: "Guidance - Virtual Asset Activities in ADGM (VER05.181223)",
    21: "API - Guidance Note_Final 14 October 2019 Eng",
    24: "Draft Guidance - FSRA Guiding Principles for Virtual Assets Regulation and Supervision (IA)",
    25: "Environmental Social and Governance Disclosures Guidance_VER01.040723",
    29: "Guidance - Digital Securities Offerings and Virtual  Assets under the Financial Services and Markets Regulations_240220",
    31: "Guidance - Disclosure Requirements for Petroleum Reporting Entities_VER01.280922",
    34: "Guidance - Regulation of Spot Commodities Activities in ADGM (VER02.181223)",
    35: "Guidance_Regulatory Framework for PFP and Multilateral Trading Facilities dealing with Private Capital Markets (VER02.181223)",  # noqa: E501 - a name
    36: "SFWG_Guidance on Principles for the Effective Management of Climate-related Financial Risks",
    37: "Supplementary Guidance  Authorisation of Digital Investment Management (Robo-advisory) Activities",
    39: "Sustainable Finance Supplementary Guidance_VER01.040723",
    40: "UAE_CRS_Guidance_Notes_17 June 2020 (002)",
}
"""The names of the documents for development, by their number in the data set."""

_PRINTED = re.compile(r"[^\s\u200b\u200e]")

Place = tuple[int, str]
"""A passage: number of its document, and its id there."""


def is_rulebooks(folder: Path) -> bool:
    """Whether a folder is a checkout of the data set."""
    return (folder / QUESTIONS).is_file() and (folder / PASSAGES).is_dir()


def rulebook_passages(folder: Path) -> RetrievalSet:
    """Each passage of the rulebooks as a document of its own; gold are whole passages."""
    documents, names = [], {}
    for number in DEVELOPMENT:
        for place, text in _passages(folder, number):
            if text.strip() and place not in names:
                names[place] = f"{number} {place[1]}"
                documents.append(Document(names[place], "", text))
    queries, left_out = [], 0
    for question, places in _questions(folder):
        gold = tuple(Gold(names[place]) for place, _ in places if place in names)
        if len(gold) == len(places):
            queries.append(Query(question, gold))
        else:
            left_out += 1
    return RetrievalSet("rulebook passages", tuple(documents), tuple(queries), left_out)


def rulebooks(folder: Path) -> RetrievalSet:
    """Each rulebook as a document; gold are the spans of its passages, where white space alone differs."""
    texts = {
        number: _Printed((folder / TEXTS / f"{name}.txt").read_bytes().decode()) for number, name in DEVELOPMENT.items()
    }
    documents = tuple(Document(DEVELOPMENT[number], "", each.text) for number, each in texts.items())
    queries, left_out = [], 0
    for question, places in _questions(folder):
        spans = [(place[0], texts[place[0]].find(text)) for place, text in places]
        gold = tuple(Gold(DEVELOPMENT[number], *span) for number, span in spans if span is not None)
        if len(gold) == len(places):
            queries.append(Query(question, gold))
        else:
            left_out += 1
    note = "of a passage that stands in its rulebook twice, the first place is gold"
    return RetrievalSet("rulebooks", documents, tuple(queries), left_out, note=note)


class _Printed:
    """A text that is searched whatever its white space and its marks of direction are.

    Args:
        text: of a rulebook.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self._at = [match.start() for match in _PRINTED.finditer(text)]
        self._printed = "".join(text[at] for at in self._at)

    def find(self, passage: str) -> tuple[int, int] | None:
        """The first place of a passage, in code points, half-open; None: there is none."""
        wanted = "".join(_PRINTED.findall(passage))
        at = self._printed.find(wanted) if wanted else -1
        return None if at < 0 else (self._at[at], self._at[at + len(wanted) - 1] + 1)


def _passages(folder: Path, number: int) -> Iterator[tuple[Place, str]]:
    for row in _json(folder / PASSAGES / f"{number}.json"):
        yield (number, str(row["PassageID"])), str(row["Passage"])


def _questions(folder: Path) -> Iterator[tuple[str, list[tuple[Place, str]]]]:
    """Questions of which all that answers stands in documents for development: (question, passages with their text)."""
    for row in _json(folder / QUESTIONS):
        places = [((int(each["DocumentID"]), str(each["PassageID"])), str(each["Passage"])) for each in row["Passages"]]
        if places and all(place[0] in DEVELOPMENT for place, _ in places):
            yield str(row["Question"]), list(dict(places).items())


def _json(path: Path) -> list[dict[str, Any]]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise SchemaError("a line is not JSON", file=path.name, reason=str(error)) from error
    return list(found)
