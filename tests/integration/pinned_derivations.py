"""What the sample corpus gives, step by step, beside the versions of the code that made it.

A derivation's id covers its inputs and the version of its code, so a store that holds it does not derive it again. Code that
gives something else under the same version is therefore never run on stores that there are. The hashes in
``pinned_derivations.json`` make that visible; this command rewrites them, unless a version has to be raised first::

    python -m tests.integration.pinned_derivations

One raised version is enough for a change that takes several rounds: before the command is run again, bring back the file that was
committed. Versions are compared with those that stores may hold, not with those of an afternoon.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from coditect.knowledge.derivation.profiles import PROFILES_VERSION
from coditect.sample import sample_folder
from coditect.schemas import Extraction, Item, Section, canonical_json, sha256_hex
from coditect.store.store import Store
from coditect.store.view import View, open_view
from coditect.testing.engine.memory import MemoryEngine
from coditect.tiers.chunks.summaries import CHUNKS_VERSION
from coditect.tiers.claims.composition import CLAIMS_VERSION
from coditect.tiers.claims.precision import PRECISION_VERSION
from coditect.tiers.extractions.document import EXTRACTIONS_VERSION
from coditect.tiers.findings.conflicts.detection import CONFLICTS_VERSION
from coditect.tiers.passages import PASSAGES_VERSION
from coditect.tiers.sections.composition import SECTIONS_VERSION
from coditect.tiers.sections.registers import REGISTERS_VERSION
from coditect.tiers.sections.topics import TOPICS_VERSION
from coditect.verify.checker import CHECKER_VERSION
from tests.corpora import CORPUS, build_all, ingest_all

__all__ = ["COMMAND", "Pin", "compare", "derive_sample", "pins_of", "read_pins"]

PINS = Path(__file__).with_name("pinned_derivations.json")

COMMAND = "python -m tests.integration.pinned_derivations"

_FED_BY = {
    "files": (),
    "texts": ("files",),
    "extractions": ("texts",),
    "chunks": ("extractions",),
    "passages": ("extractions",),
    "profiles": ("texts",),
    "topics": ("chunks",),
    "conflicts": ("chunks", "profiles"),
    "registers": ("chunks", "conflicts", "profiles"),
    "claims": ("topics", "conflicts", "registers"),
    "verdicts": ("claims",),
    "summary": ("claims", "verdicts"),
}
"""Steps in the order of the build, and those whose results they take in; through these, everything before."""

_EXTRACTIONS = {"coditect.tiers.extractions.document.EXTRACTIONS_VERSION": EXTRACTIONS_VERSION}
_CHUNKS = {"coditect.tiers.chunks.summaries.CHUNKS_VERSION": CHUNKS_VERSION}
_PASSAGES = {"coditect.tiers.passages.PASSAGES_VERSION": PASSAGES_VERSION}
_PROFILES = {"coditect.knowledge.derivation.profiles.PROFILES_VERSION": PROFILES_VERSION}
_QUOTES = {"coditect.tiers.sections.composition.SECTIONS_VERSION": SECTIONS_VERSION}
_SECTIONS = {
    "topics": {"coditect.tiers.sections.topics.TOPICS_VERSION": TOPICS_VERSION, **_QUOTES},
    "conflicts": {"coditect.tiers.findings.conflicts.detection.CONFLICTS_VERSION": CONFLICTS_VERSION, **_QUOTES},
    "registers": {"coditect.tiers.sections.registers.REGISTERS_VERSION": REGISTERS_VERSION, **_QUOTES},
}
_STEP_OF = {"topic": "topics", "conflict": "conflicts"}
"""By kind of section; all others are registers."""
_CLAIMS = {
    "coditect.tiers.claims.composition.CLAIMS_VERSION": CLAIMS_VERSION,
    "coditect.tiers.claims.precision.PRECISION_VERSION": PRECISION_VERSION,
}
_VERDICTS = {"coditect.verify.checker.CHECKER_VERSION": CHECKER_VERSION}

_ITEM_ID = re.compile(r"\b([a-z]+)_[0-9a-f]{40}(?:[0-9a-f]{12})?\b")


@dataclass(frozen=True, slots=True)
class Pin:
    """What a step gives.

    Attributes:
        versions: of its code, by the constant that states them.
        items: how many.
        sha256: of them all, without what only the versions decide: the ids.
    """

    versions: dict[str, str]
    items: int
    sha256: str


class _Hashes:
    """Hashes of items in which a reference to an item stands as that item's own hash: no version is in them."""

    def __init__(self) -> None:
        self._known: dict[str, str] = {}

    def pin(self, items: Iterable[Item], versions: Mapping[str, str], *without: str) -> Pin:
        """The pin of a step whose inputs were hashed before; the order of its items does not count."""
        found = []
        for item in items:
            fields = item.model_dump(mode="json", exclude={item.id_field, "derivation_id", *without})
            for name in ("decided", "dismissed"):  # absent in what is stored, unless a person decided something
                if fields.get(name, "") is None:
                    del fields[name]
            if isinstance(item, Extraction):  # as stored: what its data do not say is absent there
                fields["tier1_data"] = item.tier1_data.fields()
            digest = sha256_hex(canonical_json(self._plain(fields)))
            self._known[item.item_id] = digest
            found.append(digest)
        return Pin(dict(versions), len(found), sha256_hex(canonical_json(sorted(found))))

    def _plain(self, value: Any) -> Any:  # noqa: ANN401 - any JSON value
        """Item ids as hashes of what they name, numbers as far as every processor agrees on them."""
        if isinstance(value, dict):
            return {key: self._plain(each) for key, each in value.items()}
        if isinstance(value, list):
            return [self._plain(each) for each in value]
        if isinstance(value, str):
            return _ITEM_ID.sub(lambda match: self._known.get(match[0], match[1]), value)
        return float(f"{value:.6g}") if isinstance(value, float) else value


def derive_sample() -> View:
    """The sample corpus, ingested and built."""
    store = Store(MemoryEngine())
    ingest_all(store, sample_folder())
    build_all(store)
    return open_view(store, CORPUS)


def pins_of(view: View) -> dict[str, Pin]:
    """The pin of each step of a build, in the order of the build."""
    hashes = _Hashes()
    documents = sorted(view.documents.values(), key=lambda each: each.name)
    ids = [each.document_id for each in documents]
    files = sorted((each.name, each.raw_sha256) for each in documents)
    readers = {f"reader of .{each.name.rpartition('.')[2]}": each.reader for each in documents}
    pins = {
        "files": Pin({}, len(files), sha256_hex(canonical_json(files))),
        "texts": hashes.pin(documents, readers, "reader"),
        "extractions": hashes.pin((each for one in ids for each in view.extractions(one)), _EXTRACTIONS),
        "chunks": hashes.pin((each for one in ids for each in view.chunks(one)), _CHUNKS),
        "profiles": hashes.pin(view.profiles.values(), _PROFILES),
        "passages": hashes.pin((each for one in ids for each in view.passages(one)), _PASSAGES),
    }
    sections: dict[str, list[Section]] = {step: [] for step in _SECTIONS}
    for section in view.sections:
        sections[_STEP_OF.get(section.section_kind, "registers")].append(section)
    pins |= {step: hashes.pin(found, _SECTIONS[step]) for step, found in sections.items()}
    pins["claims"] = hashes.pin(view.claims.values(), _CLAIMS)
    checked_by = ("checker", "weights_version", "weights_sha256")
    pins["verdicts"] = hashes.pin(view.verdicts.values(), _VERDICTS, *checked_by)
    pins["summary"] = hashes.pin([view.summary], _CLAIMS, "verdicts", "source_sections")
    return pins


def compare(pinned: Mapping[str, Pin], found: Mapping[str, Pin]) -> tuple[list[str], list[str]]:
    """(what needs a version raised, what needs the pins rewritten), each with its way out.

    A step that gives something else needs another version of its own, unless what it takes in has other contents or another
    version: then it takes in other ids, and is derived again.
    """
    unversioned: list[str] = []
    outdated: list[str] = []
    changed: set[str] = set()
    for step, inputs in _FED_BY.items():
        before, now = pinned.get(step), found[step]
        fed_otherwise = not changed.isdisjoint(inputs)
        if fed_otherwise or before != now:
            changed.add(step)
        if before is None or before.versions != now.versions:
            outdated.append(f"{step}: the pins are older than the code; run {COMMAND}")
        elif before != now and (fed_otherwise or not now.versions):
            outdated.append(f"{step}: what it is made of has changed since the pins were written; run {COMMAND}")
        elif before != now:
            unversioned.append(
                f"{step}: the sample corpus gives {now.items} items that are not the {before.items} of before, "
                f"and no version says so; raise {' or '.join(now.versions)}, then run {COMMAND}"
            )
    return unversioned, outdated


def read_pins() -> dict[str, Pin]:
    """The pins as they were written last; none if there is no file."""
    if not PINS.exists():
        return {}
    return {step: Pin(**fields) for step, fields in json.loads(PINS.read_text(encoding="utf-8")).items()}


def write_pins(found: Mapping[str, Pin]) -> None:
    """Rewrite the pins, which may be done when no version has to be raised."""
    pins = {step: asdict(pin) for step, pin in found.items()}
    PINS.write_text(json.dumps(pins, indent=2, sort_keys=True) + "\n", encoding="utf-8")


def main() -> None:
    """Rewrite the pins; with a version missing, say which, and leave them alone."""
    found = pins_of(derive_sample())
    unversioned, _ = compare(read_pins(), found)
    if unversioned:
        sys.exit("\n".join(unversioned))
    write_pins(found)


if __name__ == "__main__":
    main()
