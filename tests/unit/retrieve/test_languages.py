"""In which language a question is asked."""

from __future__ import annotations

import pytest

from coditect.retrieve.languages import foreign_language


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("Wer muss Vorfälle melden?", "German"),
        ("Was ist ein Vertrag?", "German"),
        ("Quelles sont les obligations de déclaration ?", "French"),
        ("¿Cuáles son los requisitos de capital?", "Spanish"),
        ("Chi deve segnalare gli incidenti?", "Italian"),
        ("Quem deve notificar?", "Portuguese"),
        ("Welke gegevens moeten wij bewaren?", "Dutch"),
        ("Vilka uppgifter ska sparas?", "Swedish"),
        ("Kto musi zgłosić naruszenie?", "Polish"),
        ("Кто должен сообщать?", "in Cyrillic letters"),
        ("谁必须报告", "Chinese or Japanese"),
    ],
)
def test_language_is_known_by_function_words_and_letters(question: str, language: str) -> None:
    """Two function words of a language, or its letters."""
    assert foreign_language(question) == language


@pytest.mark.parametrize(
    "question",
    ["", "remuneration", "force majeure clause", "de minimis threshold", "what is the pro rata share", "is tipping off prohibited?",
     "What is the penalty for late filing?", "58", "Do we have to do so in all cases"],
)  # fmt: skip
def test_english_is_not_taken_for_another_language(question: str) -> None:
    """Nor are its loan words, nor what is too short to tell."""
    assert foreign_language(question) == ""
