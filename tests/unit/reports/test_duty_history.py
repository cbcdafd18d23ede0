"""What became of duties over time, as a picture with its figures; nothing of a document is run by a browser."""

from __future__ import annotations

import re
from typing import Any

from lxml import html

from coditect.reports.history import render_duty_history
from coditect.reports.html import render_html
from coditect.reports.plots import DUTY_NAMES, duties_told, duty_bars
from coditect.schemas import DutyHistory, DutyPoint
from coditect.schemas.change import DocumentChanges
from tests.unit.reports.reports import report

POINTS = (
    DutyPoint(at="2026-01-31T10:00:00Z", state="2", former="1", duties={"added": 3, "stricter": 1}, documents=(
        DocumentChanges(document="<b>a</b>.md", former="b.md", status="changed", duties={"added": 3, "stricter": 1}),
    )),
    DutyPoint(at="", state="3", former="2"),
    DutyPoint(at="2026-03-01T10:00:00Z", state="rule-2017.xml", former="3", duties={"moved": 1, "removed": 1}),
)  # fmt: skip
HISTORY = DutyHistory(corpus_id="c", first="1", last="rule-2017.xml", points=POINTS)


def test_bars_are_as_long_as_duties_changed() -> None:
    """The longest fills the width; parts stand side by side in the order of the classes; a state without any keeps its place."""
    bars = duty_bars(POINTS)
    assert [(bar.day, bar.name, bar.total, bar.documents) for bar in bars] == [
        ("2026-01-31", "generation 2", 4, 1),
        ("", "generation 3", 0, 0),
        ("2026-03-01", "rule-2017.xml", 2, 0),
    ]
    assert bars[0].parts == (("added", "3 added", 0.0, 75.0), ("stricter", "1 stricter", 75.0, 25.0))
    assert bars[1].parts == ()
    assert bars[2].parts == (("removed", "1 removed", 0.0, 25.0), ("moved", "1 moved", 25.0, 25.0))
    assert (bars[0].told, bars[1].told) == ("3 added, 1 stricter", "no duty changed")
    assert bars[0].counts == (3, 1, 0, 0, 0, 0)


def test_nothing_that_changed_is_no_picture() -> None:
    """A history in which no duty changed has no empty axes."""
    assert duty_bars(()) == duty_bars(POINTS[1:2]) == []
    assert "No duty changed" in render_duty_history(HISTORY.model_copy(update={"points": POINTS[1:2]}))
    assert '<figure class="over-time"' not in render_html(report(duties=POINTS[1:2]))


def test_picture_is_told_in_words_and_has_its_figures_beside_it() -> None:
    """Each bar has a title and a description by which it is labelled; the table has the same figures as the points."""
    for page in (render_duty_history(HISTORY), render_html(report(duties=POINTS))):
        tree: Any = html.fromstring(page)
        drawn = tree.xpath('//figure[@class="over-time"]//*[local-name()="svg"][@role="img"]')
        assert len(drawn) == len(POINTS)
        for svg, point in zip(drawn, POINTS, strict=True):
            names = svg.get("aria-labelledby").split()
            title, told = (tree.get_element_by_id(name) for name in names)
            assert (title.tag, told.tag) == ("title", "desc")
            assert told.text == duties_told(point.duties)
            assert len(svg.xpath('.//*[local-name()="rect"][contains(@class,"duty-")]')) == 1 + len(point.duties)
        rows = tree.xpath('//table[contains(@class,"over-time-figures")]/tbody/tr')
        figures = [[int(cell.text) for cell in row.xpath("td")] for row in rows]
        assert figures == [[len(p.documents), *(p.duties.get(name, 0) for name in DUTY_NAMES)] for p in POINTS]


def test_page_is_the_same_bytes_and_runs_nothing() -> None:
    """No script, nothing from anywhere, and names of documents are text."""
    page = render_duty_history(HISTORY)
    assert page == render_duty_history(HISTORY.model_copy(deep=True))
    assert "<script" not in page
    assert "default-src 'none'" in page
    assert "&lt;b&gt;a&lt;/b&gt;.md" in page
    assert not re.search(r"(?:src|href)=[\"']?https?:", page)


def test_colours_are_named_in_light_and_dark() -> None:
    """Every class has a colour of its own in both; print takes those of the light page."""
    page = render_duty_history(HISTORY)
    for name in DUTY_NAMES:
        colours = re.findall(rf"\.duty-{name} {{ fill: (#\w+)", page)
        assert len(colours) == len(set(colours)) == 2, name
