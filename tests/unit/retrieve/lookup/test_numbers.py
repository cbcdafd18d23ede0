"""Numbers of provisions, printed and asked for."""

from __future__ import annotations

import pytest

from coditect.retrieve.lookup.numbers import AskedNumber, asked_numbers, is_about_numbers, printed_numbers


@pytest.mark.parametrize(
    ("line", "keys"),
    [
        ("3.2.1\tA firm must", ["3.2.1"]),
        ("3.2.1.(1)(b)\tA firm must", ["3.2.1", "3.2.1(1)", "3.2.1(1)(b)"]),
        ("Part 6.Chapter 1.58.(1)\tA person shall not", ["part 6", "chapter 1", "58", "58(1)"]),
        ("PART 2.3.3.1.(1) A Domestic Fund", ["part 2", "3.3.1", "3.3.1(1)"]),
        ("APP 4.Guidance.General", ["appendix 4"]),
        ("APP 1.A1.1.2 A Listed Entity", ["appendix 1", "a1.1.2"]),
        ("A4.3.2\tThe amount", ["a4.3.2"]),
        ("\u200e3.2.1\u200e The firm", ["3.2.1"]),
        ("58)\tReporting", ["58"]),
        ("§ 1002.5 Rules concerning requests", ["1002.5"]),
        ("Article 5 Principles", ["article 5"]),
        ("Rule 4.1 Records", ["4.1"]),
        ("(a) the name of the client", []),
        ("The firm must keep 3.2.1 records", []),
    ],
)
def test_printed_numbers_are_those_at_the_beginning_of_a_line(line: str, keys: list[str]) -> None:
    """Whole, with those above them, whatever is invisible in them."""
    assert printed_numbers(line) == keys


def test_printed_numbers_of_several_lines_stand_once_in_order() -> None:
    """A passage holds more than one provision."""
    assert printed_numbers("2.1 One\ntext\n2.2 Two\n2.1 again") == ["2.1", "2.2"]


@pytest.mark.parametrize(
    ("query", "key", "code"),
    [
        ("COBS Rule 1.2.3", "1.2.3", "COBS"),
        ("section 58 of FSMR", "58", "FSMR"),
        ("section 58(2) of the FSMR", "58(2)", "FSMR"),
        ("what does GEN 2.2.1 say", "2.2.1", "GEN"),
        ("the 5.4.1 rule in MIR", "5.4.1", "MIR"),
        ("Rule 3.2.1(1)(a)", "3.2.1(1)(a)", ""),
        ("Rule \u200e3.2.1", "3.2.1", ""),
        ("A4.3.2", "a4.3.2", ""),
        ("App 4", "appendix 4", ""),
        ("APP 4", "appendix 4", ""),
        ("Appendix 4 of COBS", "appendix 4", "COBS"),
        ("GDPR Article 5", "article 5", "GDPR"),
        ("§ 1002.5", "1002.5", ""),
    ],
)
def test_asked_number_is_one_word_with_its_code(query: str, key: str, code: str) -> None:
    """In whatever form people write it."""
    assert asked_numbers(query) == [AskedNumber(key, code)]


@pytest.mark.parametrize("query", ["within 30 days", "58", "what are the 3 largest risks", "the rule of law"])
def test_number_of_something_else_is_none(query: str) -> None:
    """A plain number without a division or a code before it names no provision."""
    assert asked_numbers(query) == []


@pytest.mark.parametrize(
    "query", ["COBS Rule 1.2.3", "what does section 58 of FSMR say", "record keeping under COBS Rule 1.2.3"]
)
def test_short_question_with_a_number_is_about_it(query: str) -> None:
    """Its division, its code and words that only ask do not count."""
    assert is_about_numbers(query, asked_numbers(query))


@pytest.mark.parametrize(
    "query",
    [
        "How must changes in the governing body be reported to the regulator under Rule 8.10.14?",
        "remuneration",
    ],
)
def test_long_question_mentions_a_number(query: str) -> None:
    """What it asks is said by its words."""
    assert not is_about_numbers(query, asked_numbers(query))
