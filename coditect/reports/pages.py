"""The template engine of the HTML reports: what comes from documents is escaped, and a name that is not given is an error."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from jinja2 import Environment, PackageLoader, StrictUndefined

__all__ = ["page_environment"]


def page_environment(filters: Mapping[str, Callable[..., object]]) -> Environment:
    """An environment over the templates of this package.

    Args:
        filters: the filters that the templates of a page use, by name.
    """
    environment = Environment(
        loader=PackageLoader("coditect.reports"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    environment.filters |= filters
    return environment
