"""Handed: views of generations that begin with what was read for them before, so that a build reads nothing twice.

Everything that a view gives never changes, so whoever has read it may hand it on: a build to the search that follows it, and to the
next build of the same process.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TypeVar, cast

from coditect.keyspace import Part
from coditect.schemas import DocumentVersion, Item, Manifest, Profile, Section, TreeEntry
from coditect.store.store import Store
from coditect.store.view import OF_TREES, View

__all__ = [
    "ReadItems",
    "drafted",
    "every_entry",
    "forgetting",
    "published_as",
    "remembering",
    "versions_read",
    "with_manifest",
]

AnyItem = TypeVar("AnyItem", bound=Item)


class ReadItems:
    """Items that were read for one build, which the next one of the same process need not read again; they never change.

    Args:
        before: what an earlier build read, by id.

    Attributes:
        now: what was asked for since, by id.
    """

    def __init__(self, before: Mapping[str, Item] = MappingProxyType({})) -> None:
        self._before = before
        self.now: dict[str, Item] = {}

    def given(
        self,
        ids: Sequence[str],
        places: Sequence[tuple[Part, ...]],
        read: Callable[[Sequence[tuple[Part, ...]]], list[AnyItem]],
    ) -> list[AnyItem]:
        """Items by id, in order; only those that are not known are read, and all are kept.

        Args:
            ids: of the items, which are of one class.
            places: of each where it is stored.
            read: gives the items at some places.
        """
        now, before = self.now, self._before
        known = [now.get(each) or before.get(each) for each in ids]
        others = iter(read([place for place, own in zip(places, known, strict=True) if own is None]))
        found = [next(others) if own is None else cast(AnyItem, own) for own in known]
        now.update(zip(ids, found, strict=True))
        return found


def every_entry(view: View) -> Mapping[str, TreeEntry]:
    """All documents of a view's generation as its trees list them, those included that were erased since."""
    return view._all_entries


def versions_read(view: View | None) -> Mapping[str, DocumentVersion]:
    """The document versions of a generation, by document id, if they were read already; nothing where not, or there is none."""
    found: Mapping[str, DocumentVersion] = {} if view is None else vars(view).get("documents", {})
    return found


def drafted(
    store: Store,
    manifest: Manifest,
    entries: Mapping[str, TreeEntry],
    versions: Mapping[str, DocumentVersion],
    former: View | None = None,
) -> View:
    """A view of a draft of which much is known already, and is not read again.

    Args:
        store: the tenant's store.
        manifest: of the draft; its trees are stored.
        entries: what stands in its trees, in their order.
        versions: the document versions of these entries at least, by document id.
        former: another generation, of which profiles may have been read.
    """
    view = View(store, manifest)
    vars(view)["_all_entries"] = dict(entries)
    vars(view)["documents"] = {each: versions[each] for each in view.entries}
    read: Mapping[str, Profile] = {} if former is None else vars(former).get("profiles", {})
    known = {each: own for each, own in read.items() if each in entries and entries[each].profile == _step_of(own)}
    vars(view)["profiles"] = view.profiles_beside(known)
    return view


def _step_of(profile: Profile) -> tuple[str, ...]:
    """The derivations of a profile, as an entry names them."""
    return (profile.derivation_id,)


def published_as(store: Store, draft: View, generation: int, sections: Sequence[Section]) -> View:
    """A draft as the generation that came of it; what was read of its documents is not read again.

    Args:
        store: that the generation is read from.
        draft: with the manifest that was published.
        generation: its number.
        sections: its Tier 3, in order.
    """
    view = View(store, draft.manifest, generation)
    vars(view).update({name: value for name, value in vars(draft).items() if name in OF_TREES})
    vars(view)["sections"] = tuple(sections)
    return view


def remembering(view: View, memory: ReadItems) -> View:
    """A view that looks up what it is asked for by id among items that were read before, and keeps what it reads.

    Args:
        view: a generation; this one, and those that are made of it, remember from now on.
        memory: items of its corpus.
    """
    vars(view)["_memory"] = memory
    return view


def forgetting(view: View) -> View:
    """The same without what it remembers: nobody keeps it whole beyond a build."""
    vars(view).pop("_memory", None)
    return view


def with_manifest(view: View, manifest: Manifest) -> View:
    """The same documents under another manifest with the same trees; what was read of them is not read again.

    Args:
        view: what was opened.
        manifest: of the same trees.
    """
    other = View(view.store, manifest, view.generation)
    vars(other).update({name: value for name, value in vars(view).items() if name in OF_TREES})
    return other
