"""The template engine of the HTML reports: what comes from documents is escaped, and a name that is not given is an error."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

__all__ = ["page_environment"]


def page_environment(filters: Mapping[str, Callable[..., object]], package: str = "coditect.reports") -> Environment:
    """An environment over the templates of a package.

    Args:
        filters: the filters that the templates of a page use, by name.
        package: whose folder ``templates`` they stand in; those of the reports can be included, too.
    """
    own = PackageLoader("coditect.reports")
    environment = Environment(
        loader=own if package == "coditect.reports" else ChoiceLoader([PackageLoader(package), own]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    environment.filters |= filters
    return environment
