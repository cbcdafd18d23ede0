"""What the log tells of the settings of builds, against the manifests that builds have."""

from __future__ import annotations

from itertools import pairwise

from coditect.errors import Corrupt, NewerRecord
from coditect.integrity.logged.belongings import act_rows
from coditect.integrity.logged.rows import LoggedRows
from coditect.schemas import LogAct, Manifest

__all__ = ["check_settings"]


def check_settings(run: LoggedRows) -> None:
    """Check that each change of settings between two generations is told, as the manifests have it, and no other."""
    told = {
        str(act.details.get("build_id")): (name, act)
        for name, act in act_rows(run.store)
        if act.kind == "settings" and act.corpus_id == run.corpus_id
    }
    builds = {number: build for number, (build, _) in sorted(run.history.generations.items())}
    manifests = {number: _manifest(run, build) for number, build in builds.items()}
    for number, manifest in manifests.items():
        if manifest is not None and (found := told.get(manifest.build_id)) is not None:
            _same(run, *found, manifest, number)
    for (_, before), (number, after) in pairwise(manifests.items()):
        if before is None or after is None or after.build_id in told:
            continue
        if run.history.binds_all and before.configuration != after.configuration:
            run.say(
                f"generations/{run.corpus_id}/{number}",
                "its settings are not those of the one before, and no act tells so",
            )


def _manifest(run: LoggedRows, build_id: str) -> Manifest | None:
    """Of a build; None where it is gone or damaged, which is said where rows are checked."""
    try:
        return run.store.get("manifests", Manifest, run.corpus_id, build_id)
    except (Corrupt, NewerRecord):
        return None


def _same(run: LoggedRows, name: str, act: LogAct, manifest: Manifest, number: int) -> None:
    own, after = manifest.configuration, act.details.get("after")
    if not isinstance(after, dict) or any(own.get(each) != value for each, value in after.items()):
        run.say(name, f"what it tells of the settings of generation {number} is not what its manifest says")
