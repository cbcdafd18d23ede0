"""Debian's Chromium, driven by playwright without downloads, and axe-core, which checks accessibility; where they are installed."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

__all__ = ["AXE", "CHROMIUM", "MISSING", "chromium", "violations"]

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")

_PLACES = (os.environ.get("CODITECT_TEST_AXE", ""), "node_modules/axe-core/axe.min.js")

AXE = next((Path(each) for each in _PLACES if each and Path(each).is_file()), None)
"""axe-core as one file: ``npm install --no-save axe-core`` in the checkout, or CODITECT_TEST_AXE."""

MISSING = (
    "no Chromium here" if CHROMIUM is None else "playwright is not installed" if find_spec("playwright") is None else ""
)
"""Why there is no browser; "" where there is one."""

_RUN = """async () => (await axe.run(document, {resultTypes: ["violations"]})).violations.map(
    (each) => `${each.id} (${each.impact}): ${each.nodes.map((node) => node.html.slice(0, 120)).slice(0, 3).join(" / ")}`)"""


@contextmanager
def chromium() -> Iterator[Browser]:
    """A browser of its own, without a window."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        try:
            yield browser
        finally:
            browser.close()


def violations(page: Page) -> list[str]:
    """What axe-core finds wrong with a page as it is now."""
    assert AXE is not None
    page.evaluate(AXE.read_text("utf-8") + ";0")  # evaluated by the debugger: the page's policy lets no script in
    found: Any = page.evaluate(_RUN)
    return list(found)
