"""Which agreements of a corpus others amend, by their titles, days and parties."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from coditect.documents.profile.agreements.titles import amended_key, title_key
from coditect.documents.profile.parties import party_key
from coditect.language.quantities.dates import find_dates
from coditect.schemas import DocumentVersion, Profile
from coditect.store.view import View

__all__ = ["amended_by", "amendments_of", "contracts_of", "title_of"]

_AMENDS = re.compile(
    r"\bamends?\s+(?:and\s+\w+\s+)?(?:the\s+|that\s+certain\s+)?(?P<name>[A-Z][^.;()“”\"]{3,120}?)"
    r"\s+(?:dated|of|made|entered\s+into)\b(?P<rest>[^.;]{0,60})"
)
_LOOKED_AT = 3_000


def contracts_of(view: View) -> frozenset[str]:
    """Ids of the documents whose role is contract."""
    roles = {each: profile.role for each, profile in view.profiles.items() if each in view.documents}
    return frozenset(each for each, role in roles.items() if role is not None and role.value == "contract")


def amended_by(view: View, contracts: Iterable[DocumentVersion]) -> dict[str, tuple[str, ...]]:
    """The names of the documents that amend an agreement, by its id: those that name it, and no other that is called so.

    Args:
        view: the generation; whatever the role of a document is, its title tells that it amends something.
        contracts: its agreements.
    """
    found = amendments_of(view, contracts)
    return {each: tuple(version.name for version in versions) for each, versions in found.items()}


def amendments_of(view: View, contracts: Iterable[DocumentVersion]) -> dict[str, tuple[DocumentVersion, ...]]:
    """The documents that amend an agreement, by its id, as :func:`amended_by` tells them by their names."""
    titled: dict[str, list[DocumentVersion]] = {}
    for each in contracts:
        titled.setdefault(title_key(title_of(view, each)), []).append(each)
    days: dict[str, str] = {}

    def day_of(contract: DocumentVersion) -> str:
        if contract.document_id not in days:
            days[contract.document_id] = _dated(view, contract)
        return days[contract.document_id]

    found: dict[str, list[DocumentVersion]] = {}
    for version in sorted(view.documents.values(), key=lambda each: (each.name, each.document_id)):
        named = amended_key(title_of(view, version))
        others = [each for each in titled.get(named, ()) if each is not version] if named else []
        if not others:
            continue
        stated = _AMENDS.search(view.text_of(version)[:_LOOKED_AT])
        if day := _day(stated["rest"]) if stated is not None else "":
            others = [each for each in others if day_of(each) in ("", day)]
        others = [each for each in others if _share_parties(view.profiles, version, each)]
        if len(others) == 1:
            found.setdefault(others[0].document_id, []).append(version)
    return {each: tuple(versions) for each, versions in found.items()}


def title_of(view: View, version: DocumentVersion) -> str:
    """The title of a document, as its profile has it, else its file; "" for none."""
    profile = view.profiles.get(version.document_id)
    return (profile.title.value if profile is not None and profile.title is not None else version.title) or ""


def _day(text: str) -> str:
    return next((str(mark.data.get("iso") or "") for mark in find_dates(text, 0, len(text))), "")


def _dated(view: View, version: DocumentVersion) -> str:
    """The day of an agreement: its profile's, or the first in its text; "" where there is none."""
    profile = view.profiles.get(version.document_id)
    if profile is not None and profile.date is not None:
        return profile.date.value
    return _day(view.text_of(version)[:_LOOKED_AT])


def _share_parties(profiles: Mapping[str, Profile], one: DocumentVersion, other: DocumentVersion) -> bool:
    """Whether two parties are those of both, or all of whom fewer are known."""
    parties = [
        {party_key(each.value) for each in profile.parties} if (profile := profiles.get(own.document_id)) else set()
        for own in (one, other)
    ]
    return len(parties[0] & parties[1]) >= min(2, *map(len, parties))
