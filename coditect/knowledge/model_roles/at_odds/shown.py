"""Quotes of claims as models are shown them, with where they stand: title and role of the document, and the heading."""

from __future__ import annotations

from coditect.agents.roles.at_odds.pairs import AskedStatement
from coditect.agents.roles.validator import EvidencePiece
from coditect.knowledge.report.registers.said import title_of
from coditect.schemas import Chunk, Claim, SectionPart
from coditect.store.view import View
from coditect.tiers.findings.standing import Standings
from coditect.verify.checker import Evidence, quotes_of

__all__ = ["AROUND", "REPORTED", "ShownQuotes", "parts_of", "pieces_of"]

REPORTED = frozenset(("reported", "read"))
"""Conflicts that a model told: of quotes on one topic, and of sentences that it read two at a time."""


AROUND = 300
"""Code points before and behind a quote that are shown."""


class ShownQuotes:
    """Quotes of a draft's sections as statements.

    Args:
        view: the draft.
    """

    def __init__(self, view: View) -> None:
        self._view = view
        self._standings = Standings(view.documents, view.profiles, view.manifest.settings.today or "")
        self._headings: dict[str, str] = {}

    def statement(self, part: SectionPart) -> AskedStatement:
        """A quote with its document, title, role and heading."""
        cited = part.citation
        assert cited is not None  # noqa: S101 - parts_of lets nothing else through
        if cited.chunk_id not in self._headings:
            (chunk,) = self._view.items(Chunk, [cited.chunk_id], [cited.document_id])
            self._headings[cited.chunk_id] = chunk.heading
        title = title_of(self._view, self._view.documents[cited.document_id])
        role = self._standings.role(cited.document_id)
        return AskedStatement(cited.document_name, title, role, self._headings[cited.chunk_id], part.content)

    def around(self, part: SectionPart) -> tuple[str, str]:
        """What stands before and behind a quote in its document, on one line each."""
        cited = part.citation
        assert cited is not None  # noqa: S101 - parts_of lets nothing else through
        text = self._view.text_of(self._view.documents[cited.document_id])
        before = text[max(0, cited.char_start - AROUND) : cited.char_start]
        after = text[cited.char_end : cited.char_end + AROUND]
        return " ".join(before.split()), " ".join(after.split())


def parts_of(claim: Claim, evidence: Evidence) -> list[SectionPart]:
    """The quotes that a claim cites, in order."""
    parts = (evidence.sections[each.section_id].content[each.part] for each in claim.citations)
    return [part for part in parts if part.citation is not None]


def pieces_of(claim: Claim, evidence: Evidence, shown: ShownQuotes) -> tuple[EvidencePiece, ...]:
    """The evidence of a claim for the validator; that of statements read together with where it stands, and what is around it."""
    if claim.recipe.get("conflict") != "read":
        return tuple(EvidencePiece(quote.name, quote.text) for quote in quotes_of(claim, evidence))
    told = [(shown.statement(part), *shown.around(part)) for part in parts_of(claim, evidence)]
    return tuple(EvidencePiece(_named(each), each.text, before, after) for each, before, after in told)


def _named(statement: AskedStatement) -> str:
    """The document's name and what is known of the place: ``leave.md (Leave Policy; policy; 3 Carrying over)``."""
    around = "; ".join(each for each in (statement.title, statement.role, statement.heading) if each)
    return f"{statement.document} ({around})" if around else statement.document
