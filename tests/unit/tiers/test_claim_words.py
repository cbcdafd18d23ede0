"""The words of claims, of one and of many, and where what is quoted is cut."""

from __future__ import annotations

import pytest

from coditect.tiers.claims import phrases, quoting

SENTENCE = "The clerk keeps the lamp."
LONG = "word " * 100
ROW = "Control: C-1 | Often: Annually"


@pytest.mark.parametrize(
    ("text", "most", "quote"),
    [
        ("four", 4, "“four”"),
        ("four words", 10, "“four words”"),
        ("four words", 9, "“four …”"),
        ("  four\n words ", 10, "“four words”"),
        ("1.2 (a) four words", 10, "“four words”"),
        ("• a) four words", 10, "“four words”"),
        ("---- four words", 10, "“four words”"),
        ("four “big” words", 99, "“four ‘big’ words”"),
        ("Section \u200e\u200e18\ufeff of th\u00ade Act¹", 99, "“Section 18 of the Act¹”"),
    ],
)
def test_quote_is_one_line_cut_at_a_word(text: str, most: int, quote: str) -> None:
    """Without its label and the line under a heading; marks of its own are single ones."""
    assert quoting.quoted(text, most) == quote


def test_quote_of_320_characters_is_whole() -> None:
    """One more is cut."""
    assert quoting.quoted(("a" * 19 + " ") * 16 + "b").endswith(" …”")
    assert quoting.quoted((("a" * 19 + " ") * 16).strip() + "b").endswith("b”")


@pytest.mark.parametrize(
    ("before", "behind", "first", "last"),
    [
        (0, 400, "HERE", "word …”"),
        (400, 0, "word", "HERE”"),
        (400, 400, "word", "word …”"),
        (100, 400, "word", "word …”"),
        (400, 100, "word", "word”"),
    ],
)
def test_long_sentence_is_quoted_around_what_it_refers_to(before: int, behind: int, first: str, last: str) -> None:
    """Whole words within 140 characters on either side; a short one in full."""
    quote = f"{'word ' * (before // 5)}HERE{' word' * (behind // 5)}"
    told = phrases.missing_place("a.md", "a.md", "HERE", {"last": "9"}, quote).partition(": ")[2]
    assert "HERE" in told
    assert told.startswith(f"“{first}")
    assert told.endswith(last)
    ahead, after = told.strip("“”… ").split("HERE")
    assert len(ahead) == (before if before <= 140 else 135)
    assert len(after) <= 140
    assert behind <= 140 or len(after) > 130


def test_sentence_without_what_it_refers_to_is_quoted_from_its_beginning() -> None:
    """Also a long one."""
    told = phrases.missing_place("a.md", "b.md", "7.2", {"last": "6"}, LONG)
    assert told.startswith("a.md refers to section 7.2 of b.md, where the last one is 6: “word word")
    assert told.endswith("word …”")


@pytest.mark.parametrize(
    ("names", "told"),
    [
        (["a"], "a"),
        (["a", "b"], "a and b"),
        (["a", "b", "c"], "a, b and c"),
        (list("abcdef"), "a, b, c, d, e and f"),
        (list("abcdefg"), "a, b, c, d, e, f and 1 more"),
        (list("abcdefghi"), "a, b, c, d, e, f and 3 more"),
    ],
)
def test_names_are_listed_up_to_six(names: list[str], told: str) -> None:
    """Of more it is said how many."""
    assert phrases.listed(names) == told


@pytest.mark.parametrize(
    ("result", "told"),
    [
        ({"references": 1, "documents": 1, "names": ["a"], "sections": []}, "a refers to it once."),
        ({"references": 2, "documents": 1, "names": ["a"], "sections": []}, "a refers to it at least 2 times."),
        (
            {"references": 3, "documents": 2, "names": ["a", "b"], "sections": [["4", 2]]},
            "a and b refer to it at least 3 times; cited places: 4 (2).",
        ),
        (
            {"references": 9, "documents": 1, "names": ["a"], "sections": [[str(n), 1] for n in range(6)]},
            "a refers to it at least 9 times; cited places: 0 (1), 1 (1), 2 (1), 3 (1), 4 (1), 5 (1).",
        ),
        (
            {"references": 9, "documents": 1, "names": ["a"], "sections": [[str(n), 1] for n in range(8)]},
            "a refers to it at least 9 times; cited places: 0 (1), 1 (1), 2 (1), 3 (1), 4 (1), 5 (1) and 2 more.",
        ),
    ],
)
def test_absent_document_is_told_with_how_often_and_where(result: dict[str, object], told: str) -> None:
    """Six places, and how many others."""
    assert phrases.absent_document("The Act", result) == f"“The Act” is not in the corpus; {told}"


@pytest.mark.parametrize(("documents", "verb"), [(1, "refers"), (2, "refer")])
def test_missing_document_is_told_with_who_refers_to_it(documents: int, verb: str) -> None:
    """One refers, two refer."""
    names = ["a", "b"][:documents]
    told = phrases.missing_document("X Policy", {"documents": documents, "names": names})
    assert told == f"{' and '.join(names)} {verb} to “X Policy”, which is not in the corpus."


@pytest.mark.parametrize(
    ("kind", "words", "quotes", "told"),
    [
        ("open", {"says": "TBD"}, [SENTENCE], f"a leaves a point open: “{SENTENCE}”"),
        ("open", {"says": "TBD"}, [SENTENCE, "It is old."], f"a leaves a point open: “{SENTENCE}”, after “It is old.”"),
        ("open", {"also": "x", "says": "TBD"}, ["A.", "B."], "a leaves points open: “A.” and “B.”"),
        ("open", {"row": "R", "says": "TBD"}, [SENTENCE], "a, row “R” leaves a point open: “TBD”."),
        ("section", {}, ["4 Fees"], "a has nothing below the heading “Fees”"),
        ("empty", {"row": "R", "label": "Owner"}, [], "a, row “R” has no “Owner”; most rows of the table have one."),
        (
            "empty",
            {"label": "Owner", "status": "S: x"},
            [],
            "a has no “Owner”, but “S: x”; most rows of the table have one.",
        ),
        ("overdue", {"says": "Due: x"}, [], "a has a date that has passed: “Due: x”."),
        (
            "overdue",
            {"says": "Due: x", "status": "S: y", "row": "R"},
            [],
            "a, row “R” has a date that has passed: “Due: x” and “S: y”.",
        ),
        (
            "overdue",
            {"says": "Due: x", "as_of": "2026-01-01"},
            [],
            "a has a date that has passed: “Due: x”, for the newest date at which b reports something done is 2026-01-01.",
        ),
        (
            "stale",
            {"says": "Last: x", "often": "annually", "as_of": "2026-01-01"},
            [ROW],
            "a is out of date: “Often: Annually” and “Last: x”, "
            "but the newest date at which b reports something done is 2026-01-01.",
        ),
        (
            "stale",
            {"says": "Last: x", "often": "weekly", "as_of": "2026-01-01"},
            [ROW],
            "a is out of date: “weekly” and “Last: x”, but the newest date at which b reports something done is 2026-01-01.",
        ),
        (
            "stale",
            {"says": "Last: x", "as_of": "2026-01-01"},
            [],
            "a has “Last: x”, more than a year before the newest of its column, 2026-01-01.",
        ),
    ],
)  # fmt: skip
def test_gaps_are_told_with_what_shows_them(kind: str, words: dict[str, str], quotes: list[str], told: str) -> None:
    """Each with its row and its status where it has them."""
    assert phrases.gap(kind, words, ["a", "b"], quotes) == told


@pytest.mark.parametrize(
    ("result", "told"),
    [
        (
            {"documents": 2, "of": 5, "values": [["annually", 2]]},
            "2 documents fix the same interval to notify, inform or report: annually.",
        ),
        (
            {"documents": 9, "of": 9, "values": [[str(n), n] for n in range(1, 7)]},
            "Intervals to notify, inform or report differ in 9 documents: 1 (1), 2 (2), 3 (3), 4 (4), 5 (5), 6 (6).",
        ),
        (
            {"documents": 9, "of": 9, "values": [[str(n), n] for n in range(1, 9)]},
            "Intervals to notify, inform or report differ in 9 documents: 1 (1), 2 (2), 3 (3), 4 (4), 5 (5), 6 (6), others (15).",
        ),
    ],
)
def test_statistic_tells_six_values_and_the_sum_of_the_rest(result: dict[str, object], told: str) -> None:
    """One value is the same for all."""
    assert phrases.statistic("frequency", "notifi", "notified", result) == told


@pytest.mark.parametrize(
    ("lacking", "told"),
    [
        (["a"], "1 of 4 policies, standards and procedures does not say how often it is reviewed: a."),
        (["a", "b"], "2 of 4 policies, standards and procedures do not say how often they are reviewed: a and b."),
    ],
)
def test_documents_that_do_not_say_how_often_they_are_reviewed(lacking: list[str], told: str) -> None:
    """One does not, two do not."""
    assert phrases.without({"without": lacking, "of": 4}) == told


@pytest.mark.parametrize(
    ("kind", "verb", "others", "told"),
    [
        ("deadline", "kept", [], "3 of 4 contracts fix a deadline for being “kept”, 2 of them 5 days."),
        ("frequency", "audit", [], "3 of 4 contracts fix an interval to “audit”, 2 of them 5 days."),
        (
            "deadline",
            "sent",
            [["x", ["c"]]],
            "3 of 4 contracts fix a deadline for being “sent”, 2 of them 5 days; otherwise x in c.",
        ),
        (
            "deadline",
            "kept",
            [[str(n), ["c"]] for n in range(6)],
            "3 of 4 contracts fix a deadline for being “kept”, 2 of them 5 days; otherwise "
            "0 in c, 1 in c, 2 in c, 3 in c, 4 in c, 5 in c.",
        ),
        (
            "deadline",
            "kept",
            [[str(n), ["c"]] for n in range(8)],
            "3 of 4 contracts fix a deadline for being “kept”, 2 of them 5 days; otherwise "
            "0 in c, 1 in c, 2 in c, 3 in c, 4 in c, 5 in c, and 2 others.",
        ),
    ],
)  # fmt: skip
def test_grid_tells_the_usual_value_and_who_deviates(
    kind: str, verb: str, others: list[list[object]], told: str
) -> None:
    """Six of the others, and how many more."""
    result = {"contracts": 3, "of": 4, "rows": [["5 days", ["a", "b"]], *others]}
    assert phrases.grid(kind, verb, verb, result) == told


def test_reported_difference_cuts_each_side() -> None:
    """At 240 characters, and before marks of its own that stand behind the first 60."""
    told = phrases.reported(
        "lamps", {"a": f"{'x' * 60}“y", "b": f"{'x' * 61}“y", "c": "w " * 120 + "w", "d": "w " * 119 + "ww"}
    )
    sides = told.removeprefix("On “lamps”, documents differ: ").removesuffix(".").split("; ")
    assert [side.partition(" says ")[0] for side in sides] == ["a", "b", "c", "d"]
    assert sides[0].endswith(f"“{'x' * 60}'y”")
    assert sides[1].endswith(f"“{'x' * 61}”")
    assert sides[2].endswith("w…”")
    assert sides[3].endswith("ww”")


@pytest.mark.parametrize("unseen", ["\u200e", "\u200b", "\u2060", "\ufeff"])
def test_no_sentence_of_a_claim_shows_what_nobody_sees(unseen: str) -> None:
    """Whatever stands in the words that it quotes or was read from; what it points to is found in a long sentence all the same."""
    marked, long = f"Sec{unseen}tion {unseen}18", f"{LONG}Sec{unseen}tion 18 {LONG}"
    told = [
        phrases.gap("open", {"says": marked}, ["a"], [long]),
        phrases.gap("overdue", {"says": marked, "row": marked, "status": marked}, ["a"], [""]),
        phrases.missing("part", {"label": marked}, ["a"], [long]),
        phrases.missing_document(marked, {"documents": 1, "names": ["a"]}),
        phrases.absent_document(marked, {"documents": 1, "names": ["a"], "references": 1, "sections": []}),
        phrases.missing_place("a", "a", "18", {"last": "15"}, long),
        phrases.reported("x", {"a": marked}),
        phrases.requirement("a", marked),
    ]
    assert all(unseen not in each and "Section 18" in each for each in told)
