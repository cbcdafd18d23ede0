"""Recorded terminal sessions: the commands of ``cli/sessions/*.txt`` and what they print, word for word.

A session file holds lines ``$ command`` with the output below each, and ``[exit N]`` where that is not 0. What differs between
two runs (seconds, times of day) stands as ``#``. The same function records and replays: what a reader sees is a test.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "cli" / "sessions"

SESSIONS: dict[str, tuple[str, ...]] = {
    "quickstart": (
        "coditect knowledge ingest --corpus-id verrowen sample",
        "coditect knowledge build --corpus-id verrowen --extraction-method textrank --max-synthesis-ratio 0.2",
        "coditect knowledge query --corpus-id verrowen --query 'contradictions' --tier corpus --limit 3",
        "coditect knowledge query --corpus-id verrowen --query 'personal data breach' --tier section --limit 1",
        "coditect knowledge validate --corpus-id verrowen --check-citations --check-synthesis-ratios",
        "coditect knowledge report --corpus-id verrowen --output report.html",
        "coditect knowledge build --corpus-id verrowen",
        "coditect knowledge status",
    ),
    "errors": (
        "coditect knowledge query --corpus-id nothing --query x",
        "coditect knowledge ingest --corpus-id broken bad",
        "coditect knowledge build --corpus-id broken --max-synthesis-ratio 1.5",
        "coditect knowledge build --corpus-id broken --extraction-method guess",
        "coditect knowledge build --corpus-id broken",
        "coditect knowledge query --corpus-id broken --query x --tier page",
        "coditect knowledge drilldown --item-id section_abc123 --format json",
    ),
}
BAD_FILES = {
    "empty.txt": b"",
    "garbage.md": bytes(range(256)) * 40,
    "good.md": b"# Note\n\nEvery owner shall review this note at least annually.\n",
    "twin.md": b"# Note\n\nEvery owner shall review this note at least annually.\n",
    "truncated.pdf": b"%PDF-1.7\n1 0 obj\n<< /Type /Catalog",
}


def record(name: str) -> str:
    """Run a session in an empty folder, and return its text."""
    with tempfile.TemporaryDirectory() as work:
        folder = Path(work)
        (folder / "sample").symlink_to(ROOT / "coditect" / "sample" / "corpus")
        (folder / "bad").mkdir()
        for file, content in BAD_FILES.items():
            (folder / "bad" / file).write_bytes(content)
        environment = {
            key: value for key, value in os.environ.items() if not key.startswith(("CODITECT_", "PYTHON", "COV"))
        }
        environment |= {
            "CODITECT_STORE": "lmdb://" + "store",
            "CODITECT_CACHE": "cache",
            "CODITECT_JOBS": "1",
            "NO_COLOR": "1",
            "PYTHONPATH": str(ROOT),  # of this checkout, whichever is installed
            "PATH": str(Path(sys.executable).parent) + os.pathsep + os.environ.get("PATH", ""),
        }
        return "".join(_run(command, folder, environment) for command in SESSIONS[name])


def _run(command: str, folder: Path, environment: dict[str, str]) -> str:
    done = subprocess.run(
        [sys.executable, "-m", *shlex.split(command)],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        text=True,
        check=False,
    )
    text = done.stdout.replace(str(folder), "…")
    text = re.sub(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", "####-##-##T##:##:##Z", text)
    text = re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d(:\d\d)?( UTC)", "####-##-## ##:##:## UTC", text)
    text = re.sub(r"\b\d+\.\d\d s\b", "#.## s", text)
    text = re.sub(r"[ \t]+$", "", text, flags=re.MULTILINE)
    exit_line = f"[exit {done.returncode}]\n" if done.returncode else ""
    return f"$ {command}\n{text}{exit_line}\n"


def main() -> None:
    """Write every session."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in SESSIONS:
        (FOLDER / f"{name}.txt").write_text(record(name), encoding="utf-8")


if __name__ == "__main__":
    main()
