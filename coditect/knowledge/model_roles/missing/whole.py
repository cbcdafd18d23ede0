"""The reducer reads what documents say for what is missing in them: all of a small corpus at once, of a larger one in parts.

Everything that Tier 1 has is shown, also lines of document control and cells of tables, which fix nothing and are what is left
empty. In parts a request has the names of all documents beside its own statements; that something is nowhere, the validator
checks once more (:mod:`coditect.knowledge.model_roles.missing.reading`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from coditect.agents.asking.pool import Outcome
from coditect.agents.roles.answers import GapKind
from coditect.agents.roles.at_odds.pairs import AskedStatement
from coditect.agents.roles.missing.gaps import GapsReading, gaps_request, gaps_role, read_gaps
from coditect.knowledge.model_roles.agency import Agency, Stage
from coditect.knowledge.model_roles.at_odds.sentences import PlacedSentence, ReportedSide, side_of
from coditect.knowledge.progress import Progress
from coditect.knowledge.report.registers.said import said_in, title_of
from coditect.store.view import View
from coditect.tiers.findings.standing import Standings

__all__ = ["AT_ONCE_CHARS", "MOST_REQUESTS", "ReportedGap", "named_documents", "report_gaps"]

AT_ONCE_CHARS = 200_000
"""Code points of the statements of one request, with their headings: some 50,000 tokens."""

MOST_REQUESTS = 6
"""Requests of a corpus that is read for gaps; a larger one is not. With another number the readers of the reducer are others."""

_BESIDE = 24
"""Code points of a line beside heading and text."""

_Portion = tuple[PlacedSentence, ...]


@dataclass(frozen=True, slots=True)
class ReportedGap:
    """What a model finds missing.

    Attributes:
        kind: what sort of thing.
        words: of the statement, verbatim, that name it.
        sides: where they stand, and behind it the place of another statement that shows it, where there is one.
        about: what is missing, in the model's words; never cited.
    """

    kind: GapKind
    words: str
    sides: tuple[ReportedSide, ...]
    about: str


def report_gaps(agency: Agency, view: View, progress: Progress) -> list[ReportedGap]:
    """Have the reducer read a draft for what is missing, and take what it tells, by place.

    Args:
        agency: asks the reducer.
        view: a draft, of which Tier 1 and the profiles are there.
        progress: told as answers come.
    Raises:
        BudgetExceeded: what was answered is kept.
    """
    role, documents = gaps_role(agency.roles["reducer"]), named_documents(view)
    portions = _portions(view)
    found: dict[tuple[int, int, int], ReportedGap] = {}

    def take(outcome: Outcome[_Portion, GapsReading]) -> None:
        if outcome.value is None:
            agency.unanswered.add(f"reducer: gaps from {outcome.item[0].shown.document} on")
            return
        agency.count_rejected("reducer", outcome.value.rejections)
        for each in outcome.value.missing:
            first = outcome.item[each.index]
            words = first.shown.text[slice(*each.words)]
            sides = [side_of(first, each.words)]
            if each.beside is not None:
                other = outcome.item[each.beside]
                sides.append(side_of(other, (0, len(other.shown.text))))
            key = first.number, sides[0].start, sides[0].end
            found.setdefault(key, ReportedGap(each.kind, words, tuple(sides), each.about))

    stage: Stage[_Portion, GapsReading] = Stage(
        "reducer",
        "reducer reads for gaps",
        lambda: portions,
        lambda some: gaps_request(role, [each.shown for each in some], documents),
        lambda some, answer: read_gaps(answer, [each.shown for each in some]),
    )
    agency.run(stage, take, progress)
    return [found[key] for key in sorted(found)]


def named_documents(view: View) -> list[tuple[str, str]]:
    """(name, title) of the documents of a draft, by name."""
    versions = sorted(view.documents.values(), key=lambda each: (each.name, each.document_id))
    return [(each.name, title_of(view, each)) for each in versions]


def _portions(view: View) -> list[_Portion]:
    """What each request shows: nothing of too large a corpus; papers of others are left out where all is too much for one."""
    standings = Standings(view.documents, view.profiles, view.manifest.settings.today or "")
    told = [tuple(own) for _, own in groupby(_statements(view, standings), key=lambda each: each.number)]
    if sum(map(_size, told)) > AT_ONCE_CHARS:
        told = [own for own in told if not standings.is_outside(own[0].document_id)]
    portions = _packed(told)
    return portions if len(portions) <= MOST_REQUESTS else []


def _packed(documents: Sequence[_Portion]) -> list[_Portion]:
    """Documents in portions, each whole where it fits into one."""
    portions: list[list[PlacedSentence]] = []
    room = 0
    for own in documents:
        if _size(own) > room:
            portions.append([])
            room = AT_ONCE_CHARS
        for each in own:
            size = _size((each,))
            if size > room and portions[-1]:
                portions.append([])
                room = AT_ONCE_CHARS
            portions[-1].append(each)
            room -= size
    return [tuple(each) for each in portions if each]


def _size(statements: _Portion) -> int:
    return sum(len(each.shown.heading) + len(each.shown.text) + _BESIDE for each in statements)


def _statements(view: View, standings: Standings) -> Iterator[PlacedSentence]:
    """Everything that documents say, by their names and by place; what is superseded or has expired is left out."""
    ordered = sorted(view.documents.values(), key=lambda each: (each.name, each.document_id))
    for number, version in enumerate(ordered):
        if standings.is_past(version.document_id):
            continue
        text, title, role = view.text_of(version), title_of(view, version), standings.role(version.document_id)
        for each in said_in(view, version.document_id, text)[0]:
            sentence = text[each.start : each.end]
            if sentence.strip():
                shown = AskedStatement(version.name, title, role, each.item.heading, sentence)
                yield PlacedSentence(number, version.document_id, each.start, shown)
