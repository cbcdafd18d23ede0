"""The two sides that are compared: a part of a requirement, and a sentence of a document."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from coditect.verify.requirements.wording import RequirementWording

__all__ = ["AskedByPart", "Force", "SaidByPolicy"]

Force = Literal["binds", "states", "permits", "prohibits", "recommends"]
"""How a sentence speaks: a duty, a plain statement, a permission, a prohibition, a recommendation."""


@dataclass(frozen=True, slots=True)
class AskedByPart:
    """A part of a requirement.

    Attributes:
        wording: its words.
        title: of the requirement.
        number: of the requirement, as its framework prints it; "" where that is not known.
    """

    wording: RequirementWording
    title: str
    number: str = ""


@dataclass(frozen=True, slots=True)
class SaidByPolicy:
    """A sentence of a document.

    Attributes:
        text: an item of a list with its lead-in.
        own: the item alone; the same as the text where the sentence stands for itself.
        around: its headings and its document's title.
        force: how it speaks.
        likely: probability that its document speaks to the requirement at all, 0..1.
        conditional: whether it applies under a condition only.
        document: the name of its document; "" where that is not known.
        role: with which force its document speaks by what was declared of it, or by its own first lines; "" where neither tells.
        leaves_open: whether its document leaves a framework's parameters open, as the framework prints them.
    """

    text: str
    own: str
    around: str
    force: Force
    likely: float = 1.0
    conditional: bool = False
    document: str = ""
    role: str = ""
    leaves_open: bool = False
