"""With which settings and versions a build ran, as the log tells it: what changed from one generation to the next.

A build's id covers its settings, and a generation's event names the build, so they are bound by that. What changed is an act of its
own beside it, since a manifest that retention took says nothing any more.
"""

from __future__ import annotations

from pydantic import JsonValue

from coditect.schemas import Generation, LogAct, Manifest, canonical_json, sha256_hex
from coditect.transparency.salts import Salts

__all__ = ["configuration", "settings_act"]

MOST_BYTES = 2_000
"""A longer value stands in the log by its SHA-256: a schema of extractions, hundreds of topics."""


def configuration(manifest: Manifest) -> dict[str, JsonValue]:
    """What a build's results depend on beside the documents and what persons decided, by name.

    The day against which dates are held is left out: it changes by itself, and stands in the manifest.
    """
    values = manifest.settings.model_dump(mode="json", exclude={"today"})
    values["code_versions"] = dict(manifest.code_versions)
    found: dict[str, JsonValue] = {}
    for name, value in values.items():
        data = canonical_json(value)
        found[name] = value if len(data) <= MOST_BYTES else {"sha256": sha256_hex(data)}
    return found


def settings_act(manifest: Manifest, generation: Generation, former: Manifest | None, salts: Salts) -> LogAct | None:
    """What the log tells of the settings of a generation; None where they are those of the one before.

    Args:
        manifest: of the generation.
        generation: its record.
        former: the manifest of the one before; None: there is none.
        salts: gives the salt of an act.
    """
    after, before = configuration(manifest), {} if former is None else configuration(former)
    changed = {name: value for name, value in after.items() if name not in before or before[name] != value}
    if not changed:
        return None
    details: dict[str, JsonValue] = {
        "generation": generation.generation,
        "build_id": manifest.build_id,
        "after": changed,
    }
    if former is not None:
        details["before"] = {name: before.get(name) for name in changed}
    return LogAct(
        kind="settings", corpus_id=manifest.corpus_id, at=generation.created_at, details=details, salt=salts()
    )
