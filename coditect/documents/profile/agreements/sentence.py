"""All that a sentence says of its agreement."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from coditect.documents.profile.agreements.facts import AgreementFact
from coditect.documents.profile.agreements.laws import read_data_location, read_governing_law
from coditect.documents.profile.agreements.leave import read_assignment, read_audit, read_subcontracting
from coditect.documents.profile.agreements.renewals import read_renewal, read_renewal_notice
from coditect.documents.profile.agreements.terminations import read_termination
from coditect.documents.profile.agreements.terms import read_term
from coditect.schemas import AGREEMENT_FIELDS, AgreementField

__all__ = ["agreement_facts", "may_speak_of"]

_Reader = Callable[[str, str], Iterator[AgreementFact]]

_READERS: tuple[tuple[tuple[str, ...], tuple[str, ...], _Reader], ...] = (
    (
        ("term", "durat", "expir", "valid", "continue", "effect", "force", "period", " begin", " commenc", " start", " end",
         " ceas", " laps"),
        ("agreement", "contract", "term", "hereunder", "lease", "licen", "memorandum", "deed", "charter", "engagement",
         "appointment", "employment", "expir", "durat", "arrangement", "addendum", "order", "this "),
        read_term,
    ),
    (("renew", "exten", "prolong", "roll", "automatically", "thereafter", "after that", "after which", "end of which"),
        (), read_renewal),
    (("notice", "notif", "advise", "inform"),
        ("renew", "exten", "expir", " end ", "anniversar", "terminat", "cancel"), read_renewal_notice),
    (("terminat", "cancel", "withdraw", " end"),
        ("may ", "can ", "right", "entitled", "option", "until", "wish", "desir", "want", "intend", "elect"), read_termination),
    (("law", "legislation", "jurisdiction"), (), read_governing_law),
    (("assign", "transfer", "novate"), (), read_assignment),
    (("subcontract", "sub-contract", "outsourc", "processor"), (), read_subcontracting),
    (("audit", "inspect", "examin", "books", "records", "premises", "facilit", "data cent"), (), read_audit),
    (("data", "information", "records", "server", "backup"), ("in ", "within ", "outside ", "inside "), read_data_location),
)  # fmt: skip
"""Of each reader, in the order of ``AGREEMENT_FIELDS``, words of which a sentence holds one, and one of the others where there
are others, if it finds anything there.

They are parts of the words of the reader's own patterns, so that a sentence is only read by whoever can find something in it.
"""


def may_speak_of(field: AgreementField, text: str) -> bool:
    """Whether a text has any of the words without which nothing is said of a field.

    Args:
        field: what is asked for.
        text: of a sentence, or of several.
    """
    first, _, _ = _READERS[AGREEMENT_FIELDS.index(field)]
    said = " ".join(text.casefold().split())
    return any(each in said for each in first)


def agreement_facts(text: str, heading: str = "") -> Iterator[AgreementFact]:
    """What a sentence says of the agreement that it stands in, at most once for each field.

    Args:
        text: the sentence, canonical.
        heading: what it stands under; "" for nothing.
    """
    said = " ".join(text.casefold().split())
    headed = heading.casefold()
    for first, second, read in _READERS:
        where = f"{headed} {said}" if read is read_term else said
        if any(each in where for each in first) and (not second or any(each in where for each in second)):
            yield from read(text, heading)
