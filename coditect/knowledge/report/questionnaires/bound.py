"""Whom an answer binds, and whom the question asks about: a deadline of the customer's answers nobody who asks about ours."""

from __future__ import annotations

import re
from functools import cache

from coditect.language.tables import read_table
from coditect.retrieve.words import stems
from coditect.schemas import Extraction, Hit, NormData
from coditect.store.view import View

__all__ = ["BoundParties", "asked_party"]

_AUXILIARY = r"(?:do|does|did|must|shall|should|will|can|could|may|has|have|is|are)"
_SUBJECT = re.compile(
    rf"\b{_AUXILIARY}\s+(?P<subject>(?:[\w’'-]+\s+){{1,6}}?)(?:(?:have|has|need|needs|required|obliged)\s+to\s+|to\s+)?"
    rf"(?P<verb>{read_table('base_verbs').pattern('verbs')})\b",
    re.IGNORECASE,
)
_ARTICLES = re.compile(r"^(?:a|an|the|any|each|every|all)\s+", re.IGNORECASE)
_OURSELVES = re.compile(
    r"(?:you|we|us|(?:your|our|the)\s+(?:own\s+)?(?:organi[sz]ation|company|firm|business|entity|group|team|staff))",
    re.IGNORECASE,
)
_NOBODY = frozenset(("it", "they", "he", "she", "we", "you", "us", "this", "that", "these", "those", "who", "which"))


def asked_party(question: str) -> tuple[str, str]:
    """(whom a question asks about, what it asks of them); the first is "" where it names nobody.

    Args:
        question: "How soon must a processor tell the controller?" asks about "processor", and of it "tell the controller?".
    """
    found = _SUBJECT.search(" ".join(question.split()))
    if found is None:
        return "", ""
    return _ARTICLES.sub("", found["subject"].strip()), f"{found['verb']}{found.string[found.end() :]}"


class BoundParties:
    """Whom the sentences of a generation bind.

    Args:
        view: the generation.
    """

    def __init__(self, view: View) -> None:
        self._view = view

    def binds_another(self, question: str, hit: Hit) -> str:
        """Why a sentence does not answer a question, since it binds somebody else than is asked about; "" where it may answer.

        Args:
            question: as it is printed.
            hit: a statement of Tier 1.
        """
        subject, asked = asked_party(question)
        item = self._view.find(hit.item.item_id) if subject else None
        if not isinstance(item, Extraction) or item.extraction_kind not in ("obligation", "prohibition", "permission"):
            return ""
        norm = item.read_as(NormData)
        actor = (norm.actor or "").strip()
        another = bool(actor) and _is_another(subject, asked, actor, norm.action or "")
        return f"the closest words bind “{actor}”" if another else ""


def _is_another(subject: str, asked: str, actor: str, action: str) -> bool:
    """Whether who acts is the other side of what is asked, or another body than the one that is asked about.

    Own people are no other side: "do you require it of employees" is answered by what binds employees.
    """
    if actor.casefold() in _NOBODY:
        return False
    acting, whole, said = _outside(actor), frozenset(stems(_ARTICLES.sub("", actor))), frozenset(stems(asked))
    reversed_ = whole <= said or (bool(acting) and acting <= said)
    if _OURSELVES.fullmatch(subject):
        return reversed_ and _verb(asked) == _verb(action)
    if not whole.isdisjoint(stems(subject)):
        return False
    return reversed_ or bool(acting and _outside(subject))


def _verb(words: str) -> str:
    return next(iter(stems(words)), "")


def _outside(words: str) -> frozenset[str]:
    """Stems of the words for bodies in a noun phrase or a clause, those that are within one, or any, left out."""
    return frozenset(stems(words)) & _bodies()


@cache
def _bodies() -> frozenset[str]:
    agents = read_table("agents")
    within = frozenset(stem for word in agents.words("within") for stem in stems(word))
    return frozenset(stem for word in agents.words("bodies") for stem in stems(word)) - within
