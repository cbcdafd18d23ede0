"""The profile of a document is made beside its tiers, by whoever derives it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from coditect.errors import UsageError
from coditect.knowledge.derivation import document
from coditect.knowledge.derivation.document import DeriveTask, derive
from coditect.knowledge.derivation.plan import ChunkPlan
from coditect.knowledge.derivation.profiles import ProfileTask, profile_documents, profile_tasks
from coditect.knowledge.derivation.source import stored_text
from coditect.schemas import DeclaredProfile, DocumentVersion
from coditect.store.store import Store
from coditect.store.view import open_view
from tests.corpora import CORPUS

DECLARED = DeclaredProfile(role="standard")


def _task(built: Store, profile: ProfileTask | None) -> DeriveTask:
    """The first document of the small corpus."""
    version = _versions(built)[0]
    text, layout = stored_text(built, version)
    return DeriveTask("default", version, text, layout, frozenset(), ChunkPlan("textrank"), None, profile=profile)


def _versions(built: Store) -> list[DocumentVersion]:
    return list(open_view(built, CORPUS).documents.values())


def test_only_profiles_that_are_not_there_are_wanted(built: Store) -> None:
    """What is declared of a document makes another profile of it."""
    assert profile_tasks(built, CORPUS, [(each, None) for each in _versions(built)]) == {}
    first, *others = _versions(built)
    wanted = profile_tasks(built, CORPUS, [(first, DECLARED), *((each, None) for each in others)])
    assert list(wanted) == [first.document_id]
    assert wanted[first.document_id].declared == DECLARED


def test_profile_made_beside_the_tiers_is_the_one_that_is_published(built: Store) -> None:
    """To the last byte, whoever makes it."""
    task = _task(built, None)
    wanted = profile_tasks(built, CORPUS, [(task.version, DECLARED)])[task.version.document_id]
    made = derive(replace(task, profile=wanted)).profile
    assert made is not None
    entry = open_view(built, CORPUS).entries[task.version.document_id]
    declared = {entry.document_id: DECLARED}
    (published,) = profile_documents(built, CORPUS, [entry], {entry.document_id: task.version}, declared)
    assert published.profile == (made[1].derivation_id,) == (wanted.derivation_id,)
    assert built.derivations(CORPUS, [wanted.derivation_id])[wanted.derivation_id] == made[1]
    assert made[0].role is not None
    assert made[0].role.value == "standard"


def test_document_whose_profile_cannot_be_made_is_derived_all_the_same(
    built: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever publishes makes the profile, and tells what went wrong."""

    def failing(*_: object) -> None:
        raise UsageError("no guess")

    monkeypatch.setattr(document, "profiled", failing)
    derived = derive(_task(built, ProfileTask("derivation_0", None)))
    assert derived.failure is None
    assert derived.derivations
    assert derived.profile is None


def test_no_profile_is_made_where_none_is_wanted(built: Store) -> None:
    """As of a document that is derived to be compared."""
    assert derive(_task(built, None)).profile is None
