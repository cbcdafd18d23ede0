"""Renders the explorer's pages: templates, the words and filters that they use, and the explorer's own files."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import TypeVar

from jinja2 import Environment

from coditect.reports.claims import HOW_TO_SETTLE, WHAT_IS_POSSIBLE
from coditect.reports.pages import page_environment
from coditect.reports.wording import EXTRACTION_NAMES
from coditect.server.explorer.links import PageLinks
from coditect.server.explorer.shown.crosswalk import LABELS
from coditect.server.explorer.shown.search import FORCES, MODES
from coditect.server.explorer.shown.wording import DECISION_NAMES, SEVERITIES
from coditect.server.explorer.visit import Visit

__all__ = ["ASSETS", "asset", "render", "render_alone", "shorten", "tabs_of"]

ASSETS = {"explorer.css": "text/css", "keys.js": "text/javascript", "icon.svg": "image/svg+xml"}
"""The explorer's own files, and their media types."""

PACKAGE = "coditect.server.explorer"

T = TypeVar("T")

_NOT_A_WORD = re.compile(r"[^a-z0-9]+")


@cache
def asset(name: str) -> tuple[bytes, str]:
    """(bytes, digest) of one of the explorer's own files; the style sheet begins with what it shares with the reports."""
    data = files(PACKAGE).joinpath("assets", name).read_bytes()
    if name == "explorer.css":
        shared = (
            _environment().get_template(each).render().encode() + b"\n" for each in ("palette.css", "duty_history.css")
        )
        data = b"".join(shared) + data
    return data, hashlib.sha256(data).hexdigest()[:16]


@cache
def _environment() -> Environment:
    environment = page_environment(
        {
            "thousands": lambda number: f"{number:,}",
            "when": when,
            "shorten": shorten,
            "first_of": first_of,
            "slug": lambda text: _NOT_A_WORD.sub("-", str(text).lower()).strip("-"),
        },
        PACKAGE,
    )
    environment.globals |= {
        "decision_names": DECISION_NAMES,
        "extraction_names": EXTRACTION_NAMES,
        "forces": FORCES,
        "how_to_settle": HOW_TO_SETTLE,
        "labels": LABELS,
        "modes": MODES,
        "severities": SEVERITIES,
        "what_is_possible": WHAT_IS_POSSIBLE,
    }
    return environment


def when(time: str) -> str:
    """An RFC 3339 time for readers: "2026-11-20 23:02 UTC"; a day stays one."""
    return f"{time[:10]} {time[11:16]} UTC" if len(time) > 16 else time


def shorten(text: str, most: int) -> str:
    """At most so many characters of a text, cut between words."""
    return text if len(text) <= most else text[: most - 1].rsplit(" ", 1)[0] + " …"


def first_of(rows: Sequence[T], most: int) -> Sequence[T]:
    """The first rows."""
    return rows[:most]


def tabs_of(links: PageLinks, *, may_analyse: bool) -> tuple[tuple[str, str, str], ...]:
    """(key, word, address) of the pages of a corpus that a visitor may open.

    Args:
        links: makes addresses.
        may_analyse: whether the visitor may open the crosswalk.
    """
    crosswalk = (("crosswalk", "Crosswalk", links.to("crosswalk")),) if may_analyse else ()
    return (
        ("overview", "Overview", links.to()),
        ("search", "Search", links.to("search")),
        ("documents", "Documents", links.to("documents")),
        ("claims", "Findings", links.to("claims")),
        ("review", "Review", links.to("review")),
        ("obligations", "Obligations", links.to("obligations")),
        ("agreements", "Agreements", links.to("obligations", "agreements")),
        ("changes", "Changes", links.to("changes")),
        *crosswalk,
    )


def render(template: str, visit: Visit, *, title: str, here: str = "", refresh: bool = False, **context: object) -> str:
    """A page as HTML.

    Args:
        template: its name, without endings.
        visit: who asks, and of what.
        title: of the browser's window.
        here: key of the page among the tabs.
        refresh: whether the page comes again by itself.
        context: what the template shows.
    """
    links = visit.links
    built = visit.is_built
    return (
        _environment()
        .get_template(f"{template}.html.j2")
        .render(
            asset=lambda name: links.asset(name, asset(name)[1]),
            links=links,
            tabs=tabs_of(links, may_analyse=visit.may_analyse) if links.corpus_id else (),
            title=" · ".join(filter(None, (title, links.corpus_id, "coditect knowledge"))),
            here=here,
            refresh=refresh,
            visitor=visit.name,
            role=visit.role,
            csrf=visit.csrf,
            sign_out=visit.sign_out,
            may_decide=visit.may_decide,
            current=visit.current if built else None,
            generation=visit.view.generation if built else None,
            build_id=visit.view.manifest.build_id if built else "",
            **context,
        )
    )


def render_alone(template: str, root: str, *, title: str, **context: object) -> str:
    """A page for whom nobody knows yet.

    Args:
        template: its name, without endings.
        root: path of the explorer.
        title: of the browser's window.
        context: what the template shows.
    """
    links = PageLinks(root)
    nothing = {"tabs": (), "here": "", "refresh": False, "visitor": "", "role": "", "csrf": "", "sign_out": ""}
    return (
        _environment()
        .get_template(f"{template}.html.j2")
        .render(
            asset=lambda name: links.asset(name, asset(name)[1]),
            links=links,
            title=f"{title} · coditect knowledge",
            current=None,
            generation=None,
            build_id="",
            **nothing,
            **context,
        )
    )
