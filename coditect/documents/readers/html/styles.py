"""What the styles and attributes inside a page's own tags hide: style sheets are not evaluated.

Source: HTML 15.3.1 (``hidden``); CSS Display 2.7, CSS 2.2 11.2 (``visibility``), CSS Color 4 (``opacity``).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

__all__ = ["SHOWN", "Look", "look_of"]

_DECLARATION = re.compile(
    r"(?:^|;)\s*(display|visibility|opacity|font-size|color|background(?:-color)?)\s*:\s*([^;!]*)", re.IGNORECASE
)
_ZERO = re.compile(r"0*\.?0*\s*(?:%|[a-z]{2,4})?")
_WHITE = frozenset({"white", "#fff", "#ffff", "#ffffff", "#ffffffff", "rgb(255,255,255)", "rgba(255,255,255,1)"})


@dataclass(frozen=True, slots=True)
class Look:
    """How an element looks, as far as its own tag and those around it say.

    Attributes:
        gone: neither it nor anything in it is shown.
        invisible: its text takes room and is not seen.
        tiny: its text has no size.
        color: of its text as written there, "" for that of the page.
        background: behind it, likewise.
    """

    gone: bool = False
    invisible: bool = False
    tiny: bool = False
    color: str = ""
    background: str = ""

    @property
    def is_hidden(self) -> bool:
        """Whether its own text is certainly not seen."""
        same = self.color != "" and self.color == self.background
        return self.gone or self.invisible or self.tiny or same or self.color == "transparent"

    @property
    def is_faint(self) -> bool:
        """Whether its text is white, on a background that only a style sheet can give another colour."""
        return self.color == "white" and not self.background


SHOWN = Look()


def look_of(attributes: Mapping[str, str | None], around: Look) -> Look:
    """How an element looks.

    Args:
        attributes: of its tag, names in lower case.
        around: how the element looks that it stands in.
    """
    declared = {
        name.lower(): value.strip().lower() for name, value in _DECLARATION.findall(attributes.get("style") or "")
    }
    display = declared.get("display")
    look = around
    if display == "none" or (display is None and "hidden" in attributes) or _is_zero(declared.get("opacity")):
        look = replace(look, gone=True)
    if "visibility" in declared:
        look = replace(look, invisible=declared["visibility"] in ("hidden", "collapse"))
    if "font-size" in declared:
        look = replace(look, tiny=_is_zero(declared["font-size"]))
    if "color" in declared:
        look = replace(look, color=_color(declared["color"]))
    background = declared.get("background-color", declared.get("background"))
    return look if background is None else replace(look, background=_color(background))


def _is_zero(value: str | None) -> bool:
    return value is not None and value != "" and _ZERO.fullmatch(value) is not None


def _color(value: str) -> str:
    """A colour in one way of writing it, white for every white."""
    bare = re.sub(r"\s+", "", value)
    return "white" if bare in _WHITE else bare
