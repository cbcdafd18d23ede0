"""The initial of a name in front of its surname, which looks as the letter of a clause does: "R. Okafor shall sign"."""

from __future__ import annotations

import re

from coditect.language.norms.actors.agents import known_to_act
from coditect.language.patterns.deferred import deferred

__all__ = ["is_initial"]

_NAMED = deferred(
    r"[ \t\xa0]{0,3}(?:[A-Z]\.[ \t\xa0]?)?(?P<name>[A-Z][a-z’'-]+(?:[A-Z][a-z]+)?)"
    r"[ \t\xa0]+(?:shall|will|must|may|should|to|is|has|and|[a-z]+s)[ \t\xa0\n]"
)


def is_initial(text: str, letter: str, at: int) -> bool:
    """Whether a letter with a full stop is that of a name: a surname and a verb follow, and no label stands beside it in a list.

    "A. Tenant shall" begins with who is bound by his role; of "A. Brandt shall" and "B. Acme shall" both are labels. A surname may
    sound like one who acts ("R. Okafor", "T. Baker"): only the first letter of a list can stand alone.

    Args:
        text: the text.
        letter: as it is printed.
        at: one past its full stop.
    """
    if len(letter) != 1 or not letter.isupper() or text[at - 1 : at] != ".":
        return False
    named = _NAMED.match(text, at)
    if named is None or (letter == "A" and known_to_act(named["name"]) is True):
        return False
    beside = "".join(chr(ord(letter) + step) for step in (-1, 1))
    return re.search(rf"^[ \t]*[{re.escape(beside)}]\.[ \t]", text, re.MULTILINE) is None
