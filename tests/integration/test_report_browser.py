"""The report checks itself in a browser: its hashes, its place in the log, and the checkpoint; where a Chromium is installed."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from coditect.knowledge.report.collection import collect_report
from coditect.knowledge.report.proof import report_proof
from coditect.reports.html import render_html
from coditect.store.store import Store
from coditect.store.view import open_view
from coditect.transparency.notes import SigningKey, VerifierKey
from coditect.transparency.sequencer import TransparencyLog
from tests.corpora import CORPUS

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
KEY = SigningKey("log.example.com/tests", bytes(range(32)))

pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here"),
    pytest.mark.slow,
]


def _page(store: Store, key: VerifierKey | None, *, signed: bool = True) -> str:
    log = TransparencyLog(store.engine, store.keys)
    if signed:
        log.checkpoint(KEY)
    view = open_view(store, CORPUS)
    report = collect_report(store, view, generated_at="2026-03-04T05:06:07Z")
    return render_html(report.model_copy(update={"proof": report_proof(view, log, key)}))


def _outcomes(page: str, folder: Path) -> tuple[str, list[tuple[str, str]]]:
    """(verdict, (outcome, sentence) of each step) in the document as it is after its script ran."""
    path = folder / "report.html"
    path.write_text(page, "utf-8")
    done = subprocess.run(
        [
            str(CHROMIUM),
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            f"--user-data-dir={folder / 'profile'}",
            "--virtual-time-budget=20000",
            "--dump-dom",
            path.as_uri(),
        ],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    verdict = re.search(r'id="proof-verdict"[^>]*data-outcome="(\w+)"', done.stdout)
    steps = re.findall(r'<li class="\w+" data-outcome="(\w+)">([^<]*)</li>', done.stdout)
    return verdict[1] if verdict else "", steps


def test_browser_checks_hashes_log_and_signature(built: Store, tmp_path: Path) -> None:
    """All four steps hold for a genuine page with the log's key."""
    verdict, steps = _outcomes(_page(built, KEY.key), tmp_path)
    assert [outcome for outcome, _ in steps] == ["holds"] * 4, steps
    assert verdict == "holds"


@pytest.mark.parametrize(
    ("old", "new", "step", "said"),
    [
        (r'(<p class="claim-text"[^>]*><a[^>]*>1</a> )', r"\1Not: ", 1, "a claim is shown that no record holds"),
        (r'(<p data-document="[^>]*>)', r"\1Not: ", 1, "a quote is shown that no section holds"),
        (r'<article class="claim" id="claim-1"[^>]*>.*?</article>', "", 1, "not those of the summary"),
        (r"(\\\"text\\\":\\\")", r"\1Not: ", 0, "is not the hash of its record"),
        (r"(created_at\\\":\\\")2026", r"\g<1>2020", 2, "the log tells of another record"),
        (
            r"\\n\\n— log\.example\.com/tests [\w+/]{12}",
            r"\\n\\n— log.example.com/tests AAAAAAAAAAAA",
            3,
            "did not sign it",
        ),
    ],
)
def test_browser_tells_what_was_changed_in_the_page(
    built: Store, tmp_path: Path, old: str, new: str, step: int, said: str
) -> None:
    """What is shown, what lies under it, and the proof: the step that finds it says how."""
    page, count = re.subn(old, new, _page(built, KEY.key), count=1, flags=re.DOTALL)
    assert count == 1
    verdict, steps = _outcomes(page, tmp_path)
    assert verdict == "wrong"
    assert steps[step][0] == "wrong"
    assert said in steps[step][1]


def test_browser_says_what_it_cannot_check(built: Store, tmp_path: Path) -> None:
    """Without the log's key the signature is unchecked; without a checkpoint nothing is proven."""
    verdict, steps = _outcomes(_page(built, None), tmp_path)
    assert verdict == "unchecked"
    assert "give the log's key" in steps[3][1]


def test_browser_says_that_nothing_is_proven_without_a_checkpoint(built: Store, tmp_path: Path) -> None:
    """Hashes hold, and the log does not tell of the generation."""
    verdict, steps = _outcomes(_page(built, KEY.key, signed=False), tmp_path)
    assert verdict == "wrong"
    assert [outcome for outcome, _ in steps] == ["holds", "holds", "wrong", "wrong"]
    assert "nothing is proven" in steps[2][1]
