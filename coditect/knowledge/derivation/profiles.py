"""The profile of each document of a generation: what a corpus manifest states of it, and beside that what the document says itself.

A profile is a step of its own, made from a version of a document and from what was declared of it. So another manifest makes other
profiles, and with them another build, of the same versions, the same Tier 1 and the same Tier 2.

Where a document is derived in a build, its profile is made beside it, by the same process; what is still missing then is made here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from coditect.documents.profile.guess import Guess, Guesses
from coditect.documents.profile.guessing import guess_profile
from coditect.knowledge.labour.handed import with_manifest
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
from coditect.store.view import View
from coditect.tiers.findings.timeliness import due_days, held_day

__all__ = [
    "PROFILES_VERSION",
    "ProfileTask",
    "Profiled",
    "held_today",
    "profile_documents",
    "profile_of",
    "profile_tasks",
    "profiled",
    "put_profiles",
]

PROFILES_VERSION = "profiles/14"
"""Raised whenever a document's profile may come out otherwise, the guesses included."""

FLUSH = 500
"""Profiles that wait to be written together."""

_FACTS = ("role", "title", "edition", "date", "effective_from", "effective_to", "next_review", "owner")
"""Fields that a manifest may state and a document may show, each of which has one value."""


Profiled = tuple[Profile, Derivation]
"""A profile, and the derivation that gave it."""


@dataclass(frozen=True, slots=True)
class ProfileTask:
    """The profile of a version of a document that is wanted.

    Attributes:
        derivation_id: under which it is made.
        declared: what a manifest states of the document; None where none does.
    """

    derivation_id: str
    declared: DeclaredProfile | None


def profile_tasks(
    store: Store, corpus_id: str, versions: Iterable[tuple[DocumentVersion, DeclaredProfile | None]]
) -> dict[str, ProfileTask]:
    """The profiles that are not there yet, by document id.

    Args:
        store: the tenant's store.
        corpus_id: the corpus that is built.
        versions: of documents, each with what was declared of it.
    """
    own = list(versions)
    ids = [derivation_id_for(corpus_id, *_made(*each)) for each in own]
    return {version.document_id: task for task, version in _missing(store, corpus_id, ids, own)}


def _missing(
    store: Store, corpus_id: str, ids: Sequence[str], versions: Sequence[tuple[DocumentVersion, DeclaredProfile | None]]
) -> Iterator[tuple[ProfileTask, DocumentVersion]]:
    held = store.held("derivations", [(corpus_id, each) for each in ids])
    missing = [(each, own) for each, own, is_held in zip(ids, versions, held, strict=True) if not is_held]
    known = store.derivations(corpus_id, [each for each, _ in missing])  # those that a former release finished
    for each, (version, declared) in missing:
        if each not in known:
            yield ProfileTask(each, declared), version


def profiled(version: DocumentVersion, text: str, task: ProfileTask) -> Profiled:
    """Make a profile that is wanted.

    Args:
        version: the document version.
        text: its canonical text.
        task: of its document.
    """
    made = profile_of(version, text, task.declared, task.derivation_id)
    return made, Derivation.create(version.corpus_id, *_made(version, task.declared)).giving([made])


def put_profiles(store: Store, made: Sequence[Profiled]) -> None:
    """Store profiles, then the derivations that promise that they are there."""
    store.put_items([profile for profile, _ in made])
    store.put_derivations([step for _, step in made])


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
    own = [(versions[each.document_id], declared.get(each.document_id)) for each in entries]
    ids = [derivation_id_for(corpus_id, *_made(*each)) for each in own]
    missing = list(_missing(store, corpus_id, ids, own))
    for begin in range(0, len(missing), FLUSH):
        made = []
        for task, version in missing[begin : begin + FLUSH]:
            text = store.get_blob(corpus_id, version.text_sha256, version.text_bytes).decode()
            made.append(profiled(version, text, task))
        put_profiles(store, made)
    return [each.model_copy(update={"profile": (given,)}) for each, given in zip(entries, ids, strict=True)]


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
