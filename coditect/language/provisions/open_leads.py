"""Lead-ins that name who is bound and leave the act to the paragraphs below: "A keeper must, in accordance with § 3:".

Their paragraphs ask by imperatives ("Keys. Count the keys daily."), some of them below titles and numbers of their own, so that
they are no items of a list; whom the lead-in binds has to do what each of them asks.
"""

from __future__ import annotations

from dataclasses import dataclass

from coditect.language.norms.actors.agents import is_agent
from coditect.language.norms.modality import find_cues
from coditect.language.norms.subjects import find_subject
from coditect.language.patterns.deferred import deferred
from coditect.language.tables import read_table

__all__ = ["OpenLead", "open_lead"]

_BINDS = frozenset(("shall", "must", "is required to", "has to", "will"))
_NO_ACT = deferred(
    rf"(?:[\s,]+(?:{read_table('lead_ins').pattern('adjuncts_of_open_leads')})\b[^:;.]*(?:\.\d+[^:;.]*)*)?,?"
    r"(?:\s+do(?:\s+all(?:\s+of)?)?(?:\s+the\s+following)?)?\s*[:—–]\s*\Z"
)


@dataclass(frozen=True, slots=True)
class OpenLead:
    """A lead-in that says whom it binds, and not to what.

    Attributes:
        actor: whom it binds, as it is printed.
        modality: its words of force.
        start: where the name begins.
        end: one past its words of force.
    """

    actor: str
    modality: str
    start: int
    end: int


def open_lead(text: str, start: int, end: int) -> OpenLead | None:
    """The lead-in that a sentence is, or None: somebody who can act, words that bind, at most an adjunct, a colon or a dash.

    Args:
        text: the text.
        start: where the sentence begins.
        end: one past its last.
    """
    if text[start:end].rstrip()[-1:] not in (":", "—", "–"):
        return None
    cue = next(reversed(find_cues(text, start, end)), None)
    if cue is None or cue.kind != "obligation" or cue.modality not in _BINDS:
        return None
    if _NO_ACT.match(text, cue.end, end) is None:
        return None
    subject = find_subject(text, start, cue.start, first=True)
    name = text[subject.start : subject.end].strip(" ,")
    if subject.role != "main" or not name or not is_agent(name, opens=True):
        return None
    return OpenLead(name, cue.modality, subject.start, cue.end)
