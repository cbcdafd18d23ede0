"""Texts that are not in English are told when they are read, and English ones never."""

from __future__ import annotations

import pytest

from coditect.documents.languages import NOT_ENGLISH, describe_language
from coditect.documents.readers import read_source
from tests.corpora import DOCUMENTS

GERMAN = "Alle Schlüssel sind nach der Schicht beim Pförtner abzugeben und werden von ihm gezählt."


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (GERMAN, True),
        ("Les clés doivent être remises au gardien après le service, et il les compte.", True),
        ("Ключи сдаются охраннику после смены, он их пересчитывает.", True),
        ("鑰匙 必須 在 輪班 後 交還 給 警衛", True),
        ("Ðîëèòèêà êëþ÷åé: êëþ÷è ñäàþòñÿ îõðàííèêó ïîñëå ñìåíû", True),
        ("Keys must be returned to the guard after each shift, and are counted.", False),
        ("ID | Key | Owner | Guard | Day\nK-1 | Main door | Müller | José | 2031-05-04", False),
        ("Key | Main door | Guard | North", False),
        ("The Société Générale and Müller GmbH shall return the keys to São Paulo within ten days.", False),
        (
            f"Keys must be returned to the guard after each shift, and they are counted by him then. “{GERMAN[:40]}”",
            False,
        ),
        ("Keys", False),
        ("", False),
    ],
)
def test_texts_in_other_languages_are_told(text: str, told: bool) -> None:
    """By their function words, or by letters that English has not; names and quotes of another language are none."""
    found = describe_language(text)
    assert bool(found) is told
    assert all(each.startswith(NOT_ENGLISH) for each in found)


def test_readers_tell_the_language_and_say_nothing_of_english() -> None:
    """Whatever the format; the sample of English documents has no such remark."""
    for name in ("a.md", "a.txt", "a.html"):
        assert any(each.startswith(NOT_ENGLISH) for each in read_source(GERMAN.encode(), name).warnings)
    for name, text in DOCUMENTS.items():
        assert not any(each.startswith(NOT_ENGLISH) for each in read_source(text.encode(), name).warnings)
