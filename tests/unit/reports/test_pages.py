"""The template engine of the pages."""

from __future__ import annotations

import pytest
from jinja2 import UndefinedError

from coditect.reports.pages import page_environment


def test_lines_of_templates_leave_nothing_in_the_page() -> None:
    """Neither their line ends nor the blanks before them."""
    template = "<ul>\n  {% for each in items %}\n  <li>{{ each|twice }}</li>\n  {% endfor %}\n</ul>\n"
    made = page_environment({"twice": lambda text: text * 2}).from_string(template)
    assert made.render(items=["a", "b"]) == "<ul>\n  <li>aa</li>\n  <li>bb</li>\n</ul>"


def test_what_is_put_in_is_escaped_and_has_to_be_given() -> None:
    """A name that nobody gave is an error, not an empty place."""
    made = page_environment({}).from_string("{{ text }}")
    assert made.render(text="<b>&") == "&lt;b&gt;&amp;"
    with pytest.raises(UndefinedError):
        made.render()


@pytest.mark.parametrize("package", ["coditect.reports", "coditect.server.explorer"])
def test_templates_of_the_reports_can_be_included_by_others(package: str) -> None:
    """Each package has its own, and those of the reports behind them."""
    names = page_environment({}, package).list_templates()
    assert "report.html.j2" in names
    assert ("review.html.j2" in names or "base.html.j2" in names) == (package != "coditect.reports")
