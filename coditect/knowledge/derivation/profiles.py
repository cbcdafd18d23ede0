"""The profile of each document of a generation: what a corpus manifest states of it, and beside that what the document says itself.

A profile is a step of its own, made from a version of a document and from what was declared of it. So another manifest makes other
profiles, and with them another build, of the same versions, the same Tier 1 and the same Tier 2.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from coditect.documents.profile.guess import Guess, Guesses
from coditect.documents.profile.guessing import guess_profile
from coditect.knowledge.progress import Clock
from coditect.schemas import (
    DeclaredProfile,
    Derivation,
    DocumentVersion,
    Profile,
    ProfileFact,
    ProfileParty,
    Stage,
    TreeEntry,
    derivation_id_for,
)
from coditect.store.intake.documents import iter_present
from coditect.store.store import Store
from coditect.store.view import View, with_manifest
from coditect.tiers.findings.timeliness import due_days, held_day

__all__ = ["PROFILES_VERSION", "held_today", "profile_documents", "profile_of"]

PROFILES_VERSION = "profiles/12"
"""Raised whenever a document's profile may come out otherwise, the guesses included."""

FLUSH = 500
"""Profiles that wait to be written together."""

_FACTS = ("role", "title", "edition", "date", "effective_from", "effective_to", "next_review", "owner")
"""Fields that a manifest may state and a document may show, each of which has one value."""


def profile_documents(
    store: Store,
    corpus_id: str,
    entries: Sequence[TreeEntry],
    versions: Mapping[str, DocumentVersion],
    declared: Mapping[str, DeclaredProfile | None] | None = None,
) -> list[TreeEntry]:
    """The entries of a generation's documents with their profiles, which are made where they are not there yet.

    Args:
        store: the tenant's store.
        corpus_id: the corpus that is built.
        entries: one for each document.
        versions: its version, by document id.
        declared: what was declared of it, by document id; None: the intake is asked.
    """
    if declared is None:
        declared = {record.document_id: record.declared for record in iter_present(store, corpus_id)}
    made_of = {each.document_id: _made(versions[each.document_id], declared.get(each.document_id)) for each in entries}
    ids = {document_id: derivation_id_for(corpus_id, *each) for document_id, each in made_of.items()}
    held = store.held("derivations", [(corpus_id, each) for each in ids.values()])
    missing = [document_id for document_id, is_held in zip(ids, held, strict=True) if not is_held]
    known = store.derivations(corpus_id, [ids[each] for each in missing])  # those that a former release finished
    missing = [each for each in missing if ids[each] not in known]
    for begin in range(0, len(missing), FLUSH):
        made = []
        for document_id in missing[begin : begin + FLUSH]:
            version = versions[document_id]
            text = store.get_blob(corpus_id, version.text_sha256, version.text_bytes).decode()
            made.append(profile_of(version, text, declared.get(document_id), ids[document_id]))
        store.put_items(made)
        steps = ((each, Derivation.create(corpus_id, *made_of[each.document_id])) for each in made)
        store.put_derivations([step.giving([each]) for each, step in steps])
    return [each.model_copy(update={"profile": (ids[each.document_id],)}) for each in entries]


def held_today(draft: View, clock: Clock, due: Iterable[str] = ()) -> View:
    """A draft whose settings keep the day against which it holds the documents' dates.

    Args:
        draft: a generation's documents with their profiles; its settings name the day that the user chose, or none.
        clock: asked where the user gave no day.
        due: further days on which something falls due or ends, ISO 8601.
    """
    settings = draft.manifest.settings
    day = held_day(draft.profiles.values(), settings.today or clock()[:10], due)
    held = settings.model_copy(update={"today": day})
    return with_manifest(draft, draft.manifest.model_copy(update={"settings": held}))


def _made(
    version: DocumentVersion, declared: DeclaredProfile | None
) -> tuple[Stage, tuple[str, ...], str, dict[str, Any], str]:
    """What the derivation of a profile is made of, and how."""
    stated = {} if declared is None else declared.model_dump(mode="json", exclude_none=True)
    parameters: dict[str, Any] = {"declared": stated} if stated else {}
    return "profile", (version.version_id,), "manifest and rules", parameters, PROFILES_VERSION


def profile_of(version: DocumentVersion, text: str, declared: DeclaredProfile | None, derivation_id: str) -> Profile:
    """What is known of a version of a document: what was declared, and guesses for the rest.

    Args:
        version: the document version.
        text: its canonical text.
        declared: what a manifest states of it; None where none does.
        derivation_id: the derivation that the profile is made under.
    """
    guesses = guess_profile(version.name, version.title, text)
    stated = declared or DeclaredProfile()
    facts = {name: _fact(getattr(stated, name), getattr(guesses, name)) for name in _FACTS}
    _settle(facts)
    return Profile.create(
        corpus_id=version.corpus_id,
        document_id=version.document_id,
        version_id=version.version_id,
        derivation_id=derivation_id,
        parties=_parties(stated, guesses),
        parties_given=stated.parties is not None,
        supersedes=_superseded(stated, guesses),
        also_called=tuple(ProfileFact(**_grounds(guess)) for guess in guesses.also_called),
        due_days=due_days(text),
        **facts,
    )


def _settle(facts: dict[str, ProfileFact | None]) -> None:
    """Leave out a guess that what was stated, or another guess, rules out: an end before the beginning, dates of a record."""
    start, end = facts["effective_from"], facts["effective_to"]
    if start is not None and end is not None and end.value < start.value:
        facts["effective_from" if end.is_given else "effective_to"] = None


def _fact(stated: str | None, guess: Guess | None) -> ProfileFact | None:
    if stated is not None:
        return ProfileFact(value=stated, basis="manifest")
    return None if guess is None else ProfileFact(**_grounds(guess))


def _grounds(guess: Guess) -> dict[str, Any]:
    placed = {"char_start": guess.start, "char_end": guess.end} if guess.start >= 0 else {}
    return {"value": guess.value, "basis": guess.basis, "quote": guess.quote, **placed}


def _parties(stated: DeclaredProfile, guesses: Guesses) -> tuple[ProfileParty, ...]:
    if stated.parties is not None:
        return tuple(ProfileParty(value=name, basis="manifest") for name in stated.parties)
    if stated.role not in (None, "contract"):
        return ()
    return tuple(ProfileParty(**_grounds(guess), called=guess.called) for guess in guesses.parties)


def _superseded(stated: DeclaredProfile, guesses: Guesses) -> tuple[ProfileFact, ...]:
    if stated.supersedes is not None:
        return tuple(ProfileFact(value=name, basis="manifest") for name in stated.supersedes)
    return tuple(ProfileFact(**_grounds(guess)) for guess in guesses.supersedes)
