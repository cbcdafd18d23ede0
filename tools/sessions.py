"""Recorded terminal sessions: the commands of ``cli/sessions/*.txt`` and what they print, word for word.

A session file holds lines ``$ command`` with the output below each, and ``[exit N]`` where that is not 0. What differs between
two runs (seconds, times of day) stands as ``#``. The same function records and replays: what a reader sees is a test.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "cli" / "sessions"

RULE = "extraction_c56e823bd5775b9ee609be6f483f044f3f4baa30fe86fc5b7f6b"
"""The statement that is decided on; its id is a function of the corpus and of the file."""

DISMISS = f"coditect knowledge review --corpus-id rules --item {RULE} --decision dismiss --meaning 'not ours' --sign-key anna.key"

SIGNED_RULES = {
    "rules.md": b"# Rules\n\nThe clerk shall sign each report within 3 days.\n",
    "corpus.yaml": b"approvals:\n  persons: 2\n",
}

SESSIONS: dict[str, tuple[str, ...]] = {
    "quickstart": (
        "coditect knowledge ingest --corpus-id verrowen sample",
        "coditect knowledge build --corpus-id verrowen --extraction-method textrank --max-synthesis-ratio 0.2 --today 2026-09-30",
        "coditect knowledge list --corpus-id verrowen --kind possible --severity high --today 2026-09-30",
        "coditect knowledge query --corpus-id verrowen --query 'personal data breach' --tier section --limit 1",
        "coditect knowledge validate --corpus-id verrowen --check-citations --check-synthesis-ratios",
        "coditect knowledge report --corpus-id verrowen --output report.html",
        "coditect knowledge build --corpus-id verrowen --today 2026-09-30",
        "coditect knowledge status",
    ),
    "signing": (
        "coditect keys new --name log.example.com/audit --output log.key",
        "coditect knowledge ingest --corpus-id rules rules",
        "coditect knowledge build --corpus-id rules --today 2026-09-30",
        "coditect keys new --person 'Anna Auditor' --role 'head of compliance' --output anna.key",
        "coditect keys new --person 'Ben Boss' --role owner --output ben.key",
        f"{DISMISS} --show",
        DISMISS,
        "coditect knowledge review --corpus-id rules --list",
        f"coditect knowledge sign --corpus-id rules --item {RULE} --meaning 'read with the owner' --sign-key ben.key",
        "coditect log checkpoint",
        "coditect audit list",
        "coditect audit show --index 0",
        "coditect audit list --person 'Anna Auditor'",
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
DATA = ROOT.parent / "shared" / "data"
"""Real documents of others, where they are at hand: what they say is not copied, and stands as “…”."""

DATA_SESSIONS: dict[str, tuple[str, ...]] = {
    "analyst": (
        # A new regulation, 30 policies and procedures, 20 contracts: which requirements apply to us?
        "coditect knowledge ingest --corpus-id regulation regulation",
        "coditect knowledge build --corpus-id regulation --today 2026-11-23",
        "coditect knowledge obligations --corpus-id regulation --format xlsx --output duties.xlsx",
        "coditect knowledge definitions --corpus-id regulation --format csv --output terms.csv",
        "coditect knowledge ingest --corpus-id company company",
        "coditect knowledge build --corpus-id company --today 2026-11-23",
        # Where do we say that we meet them, what evidence shows it, and what is missing?
        "coditect knowledge crosswalk --corpus-id company --framework-corpus regulation --format xlsx --output crosswalk.xlsx",
        "coditect knowledge crosswalk --corpus-id company --framework-corpus regulation --gaps --format csv --output gaps.csv",
        "coditect knowledge deadlines --corpus-id company --format ical --output deadlines.ics --today 2026-11-23",
        "coditect knowledge validate --corpus-id company --check-citations --check-synthesis-ratios",
        "coditect knowledge report --corpus-id company --edition executive --output summary.pdf",
        # A policy is amended: what changed, and what rests on it?
        "coditect knowledge ingest --corpus-id company amended",
        "coditect knowledge build --corpus-id company --today 2026-11-23",
        "coditect knowledge changes --corpus-id company",
        "coditect knowledge status",
    ),
}
"""Sessions with real documents, recorded and compared only where those are."""

BAD_FILES = {
    "empty.txt": b"",
    "garbage.md": bytes(range(256)) * 40,
    "good.md": b"# Note\n\nEvery owner shall review this note at least annually.\n",
    "twin.md": b"# Note\n\nEvery owner shall review this note at least annually.\n",
    "truncated.pdf": b"%PDF-1.7\n1 0 obj\n<< /Type /Catalog",
}


Program = Callable[[Sequence[str], Path, Mapping[str, str]], tuple[int, str]]
"""Runs ``coditect`` with these words, in this folder, with these variables; its exit code, and what it prints on both streams."""


def spawned(words: Sequence[str], folder: Path, environment: Mapping[str, str]) -> tuple[int, str]:
    """The program in an interpreter of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "coditect", *words],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout


def record(name: str, program: Program = spawned) -> str:
    """Run a session in an empty folder, and return its text."""
    with tempfile.TemporaryDirectory() as work:
        folder = Path(work)
        (folder / "sample").symlink_to(ROOT / "coditect" / "sample" / "corpus")
        (folder / "bad").mkdir()
        for file, content in BAD_FILES.items():
            (folder / "bad" / file).write_bytes(content)
        (folder / "rules").mkdir()
        for file, content in SIGNED_RULES.items():
            (folder / "rules" / file).write_bytes(content)
        if name in DATA_SESSIONS:
            _lay_out(folder)
        environment = {
            key: value for key, value in os.environ.items() if not key.startswith(("CODITECT_", "PYTHON", "COV"))
        }
        environment |= {
            "CODITECT_STORE": "lmdb://" + "store",
            "CODITECT_CACHE": "cache",
            "CODITECT_JOBS": "1",
            "NO_COLOR": "1",
            **({"CODITECT_LOG_KEY": "log.key", "CODITECT_PRINCIPAL": "Petra Principal"} if name == "signing" else {}),
            "PYTHONPATH": str(ROOT),  # of this checkout, whichever is installed
            "PATH": str(Path(sys.executable).parent) + os.pathsep + os.environ.get("PATH", ""),
        }
        commands = (SESSIONS | DATA_SESSIONS)[name]
        text = "".join(_run(command, folder, environment, program) for command in commands)
        return re.sub(r"“[^”]*”", "“…”", text) if name in DATA_SESSIONS else text


def _lay_out(folder: Path) -> None:
    """A regulation, 30 policies and procedures, 20 contracts, and one of the policies amended."""
    policies = sorted((DATA / "policies" / "policies").glob("*.md.tmpl"))
    procedures = sorted((DATA / "policies" / "procedures").glob("*.md.tmpl"))
    contracts = sorted((DATA / "contracts" / "docs").iterdir())
    for name in ("regulation", "company", "amended"):
        (folder / name).mkdir()
    shutil.copyfile(DATA / "cfpb" / "1016-2016-16132.xml", folder / "regulation" / "1016.xml")
    chosen = [*policies, *procedures[:: max(len(procedures) // 40, 1)]][:30]
    for path in chosen:
        shutil.copyfile(path, folder / "company" / path.name.removesuffix(".tmpl"))
    for number, path in enumerate(contracts[:: len(contracts) // 20][:20], 1):
        shutil.copyfile(path, folder / "company" / f"contract-{number:02}.txt")
    amended = (folder / "company" / chosen[0].name.removesuffix(".tmpl")).read_text(encoding="utf-8")
    told = (
        amended.rstrip()
        + "\n\n## Amendment\n\nThe privacy officer must review each privacy notice at least every 6 months.\n"
    )
    (folder / "amended" / chosen[0].name.removesuffix(".tmpl")).write_text(told, encoding="utf-8")


def _run(command: str, folder: Path, environment: dict[str, str], program: Program) -> str:
    code, said = program(shlex.split(command)[1:], folder, environment)
    text = said.replace(str(folder), "…")
    text = re.sub(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", "####-##-##T##:##:##Z", text)
    text = re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d(:\d\d)?( UTC)", "####-##-## ##:##:## UTC", text)
    text = re.sub(r"\b\d+\.\d\d s\b", "#.## s", text)
    # Keys and salts are random, and with them what is signed or salted.
    text = re.sub(r"\b((?:review|signature|signer|policy)_)[0-9a-f]{52}\b", r"\1…", text)
    text = re.sub(r"(signer/)[0-9a-f]{16}", r"\1…", text)
    text = re.sub(r"\+[0-9a-f]{8}\+[A-Za-z0-9+/=]{44}", "+…+…", text)
    text = re.sub(r"^(— \S+ )[A-Za-z0-9+/=]+$", r"\1…", text, flags=re.MULTILINE)
    text = re.sub(r"(log.example.com/audit\n\d+\n)[A-Za-z0-9+/=]{44}", r"\1…", text)
    text = re.sub(r'"by":"[0-9a-f]{32}"', '"by":"…"', text)
    text = re.sub(r'("(?:sha256|key)":")[^"]*"', r'\1…"', text)
    text = re.sub(r"[ \t]+$", "", text, flags=re.MULTILINE)
    exit_line = f"[exit {code}]\n" if code else ""
    return f"$ {command}\n{text}{exit_line}\n"


def main(names: Iterable[str] = SESSIONS) -> None:
    """Write sessions; those with real documents only where they are named: ``python tools/sessions.py analyst``."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in names:
        (FOLDER / f"{name}.txt").write_text(record(name), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:] or SESSIONS)
