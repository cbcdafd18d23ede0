"""Subjects that a later statement may mean."""

from __future__ import annotations

import pytest

from coditect.language.coreference import find_mention, main_subject


def _subject(text: str) -> tuple[str, str, str] | None:
    found = main_subject(text, 0, len(text))
    return None if found is None else (text[found.start : found.end], found.number, found.kind)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("No devices must be locked.", None),
        ("The IOS devices must be locked.", ("The IOS devices", "plural", "thing")),
        ("iOS devices must be locked.", None),
        ("devices must be locked.", None),
        ("4.2 devices must be locked.", None),
    ],
)
def test_subject_that_begins_with_a_small_letter_is_in_doubt(text: str, expected: tuple[str, str, str] | None) -> None:
    """Such a sentence may be the rest of one that was cut; of a name such as this the same is assumed."""
    assert _subject(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The keeper, must lock the gate.", ("The keeper", "singular", "thing")),
        ("The key and the lock must be kept.", ("The key and the lock", "plural", "thing")),
        ("Each key and lock must be kept.", ("Each key and lock", "unknown", "thing")),
        ("The key, the lock and the door must be kept.", ("The key, the lock and the door", "unknown", "thing")),
        ("The keys or locks must be kept.", ("The keys or locks", "unknown", "thing")),
        ("The staff must sign.", ("The staff", "plural", "person")),
        ("The information must be kept.", ("The information", "singular", "thing")),
        ("Acme eKeys must be kept.", ("Acme eKeys", "plural", "thing")),
        ("Acme Systems must sign.", ("Acme Systems", "unknown", "body")),
        ("The Systems must be kept.", ("The Systems", "plural", "thing")),
        ("A Standard Change must be approved.", ("A Standard Change", "singular", "thing")),
        ("Standard Change must be approved.", ("Standard Change", "singular", "body")),
        ("If it rains, the keeper must sign.", ("the keeper", "singular", "thing")),
        ("To open it, must sign.", None),
        ("The key [x] must be kept.", None),
        ("The key (old must be kept.", None),
        ("must be kept.", None),
    ],
)
def test_subject_has_the_number_and_the_kind_of_its_head(text: str, expected: tuple[str, str, str] | None) -> None:
    """Things joined are several, unless each is meant alone or one could be told from another only by guessing."""
    assert _subject(text) == expected


@pytest.mark.parametrize(("words", "found"), [(16, True), (17, False)])
def test_phrases_have_sixteen_words_at_most(words: int, found: bool) -> None:
    """Longer ones are more often misread than not; of a mention the same."""
    named = " ".join(f"x{number}" for number in range(words - 2))
    assert (_subject(f"The {named} key must be kept.") is not None) is found
    kept = f"He saw the very old blue keys that {' '.join(f'y{number}' for number in range(words - 6))}."
    assert (find_mention(kept, 0, len(kept), "keys") is not None) is found


@pytest.mark.parametrize(("end", "found"), [(400, True), (401, False)])
def test_subject_is_before_a_verb_of_the_first_four_hundred_characters(end: int, found: bool) -> None:
    """Whatever comes later is not looked at."""
    text = f"The {'b' * (end - 9)} must stay."
    assert text.index("must") + 4 == end
    assert (_subject(text) is not None) is found


@pytest.mark.parametrize(
    ("text", "noun", "expected"),
    [
        ("The clerk shall keep accurate records of visitors.", "records", ("accurate records of visitors", "plural")),
        ("The clerk shall notify Acme Limited within 2 days.", "limited", ("Acme Limited", "singular")),
        ("He saw the old keys.", "keys", ("the old keys", "plural")),
        ("He saw the keys.", "keys", None),
        ("He saw the old keys and the new keys.", "keys", None),
        ("He saw the old locks.", "keys", None),
        ("He lists all data keys daily.", "keys", ("all data keys", "plural")),
        ("He lists the data keys daily.", "keys", ("the data keys", "plural")),
        ("He lists each extra key daily.", "key", ("each extra key", "singular")),
    ],
)
def test_mention_is_the_phrase_around_the_only_place_of_a_noun(
    text: str, noun: str, expected: tuple[str, str] | None
) -> None:
    """With what describes it and hangs on it; one that says no more than the noun is none."""
    found = find_mention(text, 0, len(text), noun)
    assert (None if found is None else (text[found.start : found.end], found.number)) == expected


@pytest.mark.parametrize(("before", "found"), [(100, True), (101, False)])
def test_mention_begins_at_most_a_hundred_characters_before_its_noun(before: int, found: bool) -> None:
    """A determiner further away is another phrase's."""
    text = f"He saw the {'b' * (before - 5)} keys."
    assert text.index("keys") - text.index("the") == before
    assert (find_mention(text, 0, len(text), "keys") is not None) is found
