"""A small catalogue and a small policy, each in a corpus of its own."""

from __future__ import annotations

import json
from pathlib import Path

from coditect.cli.app import coditect
from coditect.cli.exit_codes import ExitCode

__all__ = ["CATALOGUE", "POLICY", "run", "stored", "stored_house"]

CATALOGUE = {
    "catalog": {
        "uuid": "7a2a2b65-5b14-4d7a-9fd5-3d7b1d9a3c01",
        "metadata": {"title": "House Controls", "version": "1", "oscal-version": "1.1.2"},
        "groups": [
            {
                "id": "ac",
                "title": "Access Control",
                "controls": [
                    {
                        "id": "ac-1",
                        "title": "Access Reviews",
                        "props": [{"name": "label", "value": "AC-1"}],
                        "params": [{"id": "ac-1_prm_1", "label": "organization-defined frequency"}],
                        "parts": [
                            {
                                "id": "ac-1_smt",
                                "name": "statement",
                                "prose": "The organization:",
                                "parts": [
                                    {
                                        "id": "ac-1_smt.a",
                                        "name": "item",
                                        "props": [{"name": "label", "value": "a."}],
                                        "prose": "Reviews user access rights {{ insert: param, ac-1_prm_1 }}; and",
                                    },
                                    {
                                        "id": "ac-1_smt.b",
                                        "name": "item",
                                        "props": [{"name": "label", "value": "b."}],
                                        "prose": "Burns lavender candles inside the observatory.",
                                    },
                                ],
                            },
                            {"id": "ac-1_gdn", "name": "guidance", "prose": "Access reviews must be documented."},
                        ],
                    }
                ],
            }
        ],
    }
}
POLICY = (
    "# Access Policy\n\nUser access rights must be reviewed quarterly.\n\n"
    "=1+1 must be calculated by every clerk on Sunday.\n"
)


def run(*words: str) -> int:
    """Run a command of ``coditect knowledge``; its exit code."""
    return int(coditect.main(["knowledge", *words], standalone_mode=False) or 0)


def stored(folder: Path, corpus: str, name: str, content: str | bytes) -> None:
    """Take a file into a corpus, and build it."""
    place = folder / corpus
    place.mkdir(exist_ok=True)
    (place / name).write_bytes(content.encode() if isinstance(content, str) else content)
    assert run("ingest", "--corpus-id", corpus, str(place)) == ExitCode.OK
    assert run("build", "--corpus-id", corpus) == ExitCode.OK


def stored_house(folder: Path) -> None:
    """The catalogue as corpus "house", the policy as corpus "policies"."""
    stored(folder, "house", "controls.json", json.dumps(CATALOGUE))
    stored(folder, "policies", "access.md", POLICY)
