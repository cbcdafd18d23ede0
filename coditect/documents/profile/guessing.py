"""All guesses about a document, with their places in its canonical text."""

from __future__ import annotations

import re
from dataclasses import replace

from coditect.documents.profile.acts import guess_dates_of_act
from coditect.documents.profile.control import part_control_lines
from coditect.documents.profile.guess import HEAD, Guess, Guesses
from coditect.documents.profile.labels import (
    guess_contract_date,
    guess_dates,
    guess_edition,
    guess_owner,
    guess_superseded,
)
from coditect.documents.profile.other_names import guess_other_names
from coditect.documents.profile.parties import guess_parties
from coditect.documents.profile.role import guess_role, title_line
from coditect.language.matched import MatchedText, as_matched

__all__ = ["guess_profile"]

PREAMBLE_CHARS = 5_000
"""Characters from the beginning of a contract within which its date stands."""

_ASIDE = re.compile(r"\s*[(\[].*[)\]]\s*", re.DOTALL)
"""A title that only says something beside one: "(Updated as on February 27, 2025)"."""

_SUFFIX = re.compile(r"\.(?:docx?|dotx?|odt|rtf|pdf|xlsx?|pptx?)$", re.IGNORECASE)
"""Of a file whose name a program took for its title."""


def guess_profile(name: str, title: str, text: str) -> Guesses:
    """What a document seems to say of itself; a function of its name, its title and its text.

    Args:
        name: its name in the corpus.
        title: its title as its format gives it; "" for none.
        text: its canonical text.
    """
    matched = MatchedText(text[:HEAD])
    head, title = matched.text, as_matched(title)
    if _ASIDE.fullmatch(title):
        title = ""
    role = guess_role(name, title, head)
    is_contract = role is not None and role.value == "contract"
    labelled = part_control_lines(head)
    dates = guess_dates(labelled)
    is_record = role is not None and role.value == "record"
    if is_record:  # its rows have dates and owners of their own, and it binds nobody
        dates = {field: guess for field, guess in dates.items() if field == "date"}
    elif is_contract:
        dates = {**dates, **guess_contract_date(head, PREAMBLE_CHARS)}

    def placed(guess: Guess, within: MatchedText = matched) -> Guess:
        if guess.start < 0:
            return guess
        start, end = within.span(guess.start, guess.end)
        return replace(guess, quote=text[start:end], start=start, end=end)

    def placed_or_none(guess: Guess | None) -> Guess | None:
        return None if guess is None else placed(guess)

    told = {field: placed(guess) for field, guess in dates.items()}
    if role is not None and role.value == "law":
        whole = MatchedText(text)
        told = {**{field: placed(guess, whole) for field, guess in guess_dates_of_act(whole.text).items()}, **told}
    return Guesses(
        role=placed_or_none(role),
        title=placed_or_none(Guess(_SUFFIX.sub("", title), "title", title) if title else title_line(head)),
        edition=placed_or_none(None if is_contract or is_record else guess_edition(name, labelled)),
        owner=placed_or_none(None if is_contract or is_record else guess_owner(labelled)),
        date=told.get("date"),
        effective_from=told.get("effective_from"),
        effective_to=told.get("effective_to"),
        next_review=told.get("next_review"),
        parties=tuple(map(placed, guess_parties(head))) if is_contract else (),
        supersedes=tuple(map(placed, guess_superseded(labelled))),
        also_called=() if is_record else tuple(map(placed, guess_other_names(head))),
    )
