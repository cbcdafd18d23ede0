"""What the editions print, row by row: what they cut and count, and in which order."""

from __future__ import annotations

from typing import Any

import pytest

from coditect.reports.editions.annex import annexed
from coditect.reports.editions.frame import figure_table, place_of
from coditect.reports.editions.printed import Edition, printed
from coditect.reports.model import AuditReport, Place
from coditect.schemas import AbsentTarget, ClaimKind, Failure, Profile, ProfileFact
from tests.unit.reports.reports import HEX, claim, passage, report
from tests.unit.reports.test_annex import decided

GRID = {
    "figure": "grid", "kind": "deadline", "head": "pay",
    "result": {"contracts": 2, "of": 2, "rows": [["30 days", ["a"]]], "usual": "30 days"},
}  # fmt: skip


def profile(**facts: str) -> Profile:
    """What is known of a document."""
    known: dict[str, Any] = {name: ProfileFact(value=value, basis="manifest") for name, value in facts.items()}
    return Profile(
        corpus_id="demo", document_id="document_1", profile_id="p", version_id="version_1", derivation_id="d", **known
    )


def long(count: int) -> AuditReport:
    """As many documents, failures, absent documents and decisions."""
    base = report()
    (document,) = base.documents
    return base.model_copy(
        update={
            "documents": tuple(document.model_copy(update={"name": f"{n}.md", "title": ""}) for n in range(count)),
            "failures": tuple(
                Failure(corpus_id="demo", name=f"{n}.pdf", error="ReadError", message="why", hint="h" if n else "")
                for n in range(count)
            ),
            "absent": tuple(
                AbsentTarget(name=f"Law {n}", references=9, documents=("a.md", "b.md"), sections=(), examples=())
                for n in range(count)
            ),
            "decisions": tuple(decided(f"claim_{n}", "A. Auditor") for n in range(count)),
        }
    )


@pytest.mark.parametrize(("count", "left"), [(0, 0), (11, 0), (12, 0), (13, 1), (15, 3)])
def test_tables_of_the_short_edition_end_behind_twelve_rows(count: int, left: int) -> None:
    """The others are counted; the full edition has them all."""
    short, full = printed(long(count), "executive"), printed(long(count), "full")
    for name in ("documents", "absent", "failures", "decisions"):
        assert (len(short[name]), short[f"{name}_left"]) == (count - left, left)
        assert (len(full[name]), full[f"{name}_left"]) == (count, 0)


def test_rows_of_tables_say_who_what_and_why() -> None:
    """Failures with the way out where there is one, laws by how many refer to them, decisions by day and meaning."""
    told = printed(long(2), "full")
    assert told["failures"] == [["0.pdf", "why", ""], ["1.pdf", "why", "h"]]
    assert told["absent"] == [["Law 0", 9, 2], ["Law 1", 9, 2]]
    assert told["decisions"][0] == [
        "accept risk (in force)",
        "A gap.",
        "A. Auditor (by name alone, unsigned)",
        "2026-02-01",
        "Known, and mended by spring",
    ]
    assert (told["title"], told["built"], told["made"]) == ("Demo", "2026-01-02", "2026-02-03")
    assert printed(report(corpus_name=""), "full")["title"] == "demo"


@pytest.mark.parametrize(
    ("edition", "title", "name"),
    [("full", "Policy", "policy.md"), ("full", "", "policy.md"), ("executive", "Policy", ""), ("executive", "", "policy.md")],
)  # fmt: skip
def test_documents_are_named_by_title_and_by_file_where_that_says_more(edition: Edition, title: str, name: str) -> None:
    """Without a title the file's name stands for it, also beside quotes and in the annex."""
    base = report(("A rule.",), claims=(claim(1, "gap", "A gap.", (1,)),))
    made = base.model_copy(update={"documents": (base.documents[0].model_copy(update={"title": title}),)})
    told = printed(made, edition)
    (document,) = told["documents"]
    assert (document["title"], document["name"]) == (title or "policy.md", name)
    (_, place), *_ = told["groups"][0]["claims"][0]["quotes"]
    assert place == f"{title or 'policy.md'}, 4.1, page 2"
    assert annexed(made)["pages"][0]["evidence"][0]["title"] == (title or "policy.md")


def test_documents_tell_what_is_known_of_them() -> None:
    """Role, edition and date, owner and standing; nothing where no profile was made."""
    base = report()
    facts = {"role": "policy", "edition": "3", "date": "2024-01-01", "owner": "CISO", "effective_from": "2024-02-01"}
    for known, edition in ((facts, "3, 2024-01-01"), ({"date": "2024-01-01"}, "2024-01-01"), ({}, "")):
        document = base.documents[0].model_copy(
            update={"profile": profile(**known), "standing": ("expired", "to be reviewed")}
        )
        (told,) = printed(base.model_copy(update={"documents": (document,)}), "full")["documents"]
        assert (told["role"], told["owner"]) == (known.get("role", ""), known.get("owner", ""))
        assert (told["edition"], told["standing"], told["sha256"]) == (edition, "expired; to be reviewed", HEX)
    (bare,) = printed(base, "full")["documents"]
    assert (bare["role"], bare["edition"], bare["owner"]) == ("", "", "")


def test_the_short_edition_has_the_gravest_and_surest_first() -> None:
    """Fourteen at most, by severity, confidence and number; what asks nothing of anybody is counted only."""
    kinds: list[tuple[ClaimKind, str | None, float]] = [
        ("gap", None, 0.9), ("gap", "low", 0.8), ("gap", "high", 0.7), ("gap", "high", 0.9), ("gap", "high", 0.9),
        ("theme", "high", 1.0), ("gap", "medium", 0.5),
    ]  # fmt: skip
    kinds += [("conflict", "information", 0.1)] * 10
    claims = tuple(
        claim(n, kind, f"{n}.", (1,), severity=severity, confidence=sure)
        for n, (kind, severity, sure) in enumerate(kinds, 1)
    )
    short = printed(report(claims=claims), "executive")
    assert [(group["heading"], [each["number"] for each in group["claims"]]) for group in short["groups"]] == [
        ("Documents that disagree", [8, 9, 10, 11, 12, 13, 14, 15]),
        ("Gaps", [1, 2, 3, 4, 5, 7]),
    ]
    assert (short["claims_left"], short["refused"], short["sections"]) == (3, [], [])
    assert short["severities"] == [["high", 3], ["medium", 1], ["low", 1], ["information", 11]]
    assert short["kinds"] == [["Documents that disagree", 10], ["Gaps", 6], ["Themes", 1]]
    full = printed(report(claims=claims, refused=(claim(1, "gap", "No.", (1,), reason="why"),)), "full")
    assert [len(group["claims"]) for group in full["groups"]] == [10, 6, 1]
    assert (full["claims_left"], full["refused"], full["refused_count"]) == (0, [["No.", "why"]], 1)
    gap = next(group for group in full["groups"] if group["heading"] == "Gaps")["claims"]
    assert [each["severity"] for each in gap] == ["", "low", "high", "high", "high", "medium"]
    assert gap[0]["confidence"] == "90 %"


def test_a_sure_claim_stands_before_one_that_is_less_so() -> None:
    """Where the short edition is full, confidence decides which of the equally grave are left out."""
    claims = tuple(claim(n, "gap", f"{n}.", (1,), severity="high", confidence=n / 20) for n in range(1, 17))
    (group,) = printed(report(claims=claims), "executive")["groups"]
    assert [each["number"] for each in group["claims"]] == list(range(3, 17))


@pytest.mark.parametrize(("edition", "most"), [("executive", 2), ("full", 6)])
def test_quotes_of_a_claim_are_told_once_and_cut(edition: Edition, most: int) -> None:
    """A passage that is cited twice is one; what leads to none is not counted; a table stands in the full edition alone."""
    made = report(tuple(f"Rule {n}." for n in range(1, 9)))
    cited = claim(1, "grid", "A grid.", (3, 3, 1, 2, 4, 5, 6, 7), recipe=GRID)
    lost = cited.citations[0].model_copy(update={"passage": None})
    for numbers, shown, more in ((8, most, 7 - most), (most + 1, most, 0), (2, 1, 0), (most + 2, most, 1)):
        part = cited.model_copy(update={"citations": (lost, *cited.citations[:numbers])})
        told = printed(made.model_copy(update={"claims": (part,)}), edition)["groups"][0]["claims"][0]
        assert [quote for quote, _ in told["quotes"]] == [f"Rule {n}." for n in (3, 1, 2, 4, 5, 6)][:shown]
        assert told["more"] == more
        assert told["table"] == (figure_table(cited) if edition == "full" else None)
    assert figure_table(cited) == {
        "caption": "Counted from the term index: deadlines (within what time) of statements with verbs that mean “pay”, "
        "by contract.",
        "columns": ["Value", "Beside the others", "Contracts"],
        "rows": [["30 days", "usual", "a"]],
        "notes": ["2 of 2 contracts fix it; one that fixes several values is in several rows."],
    }
    assert figure_table(claim(1, "gap", "A gap.", (1,), recipe=GRID)) is None
    assert figure_table(claim(1, "grid", "A grid.", (1,))) is None


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("a " * 159 + "bb", "a " * 159 + "bb"),
        ("a " * 159 + "bbb", "a " * 158 + "a […]"),
        ("a\n\n b", "a b"),
        ("a " * 160 + "b", "a " * 159 + "a […]"),
        ("\u8cc7" * 320, "\u8cc7" * 320),
        ("\u8cc7" * 321, "\u8cc7" * 320 + " […]"),
    ],
)
def test_quotes_of_the_short_edition_are_cut_between_words(text: str, quote: str) -> None:
    """320 characters stay as they are; of more the last whole word, and a mark; a script without blanks is cut anyway."""
    made = report((text,), claims=(claim(1, "gap", "A gap.", (1,)),))
    assert printed(made, "executive")["groups"][0]["claims"][0]["quotes"][0][0] == quote


def test_sections_have_their_parts_with_places() -> None:
    """What the program wrote has none; kinds are told in words."""
    (told,) = printed(report(("One.", "Two.")), "full")["sections"]
    assert (told["kind"], told["documents"], told["number"]) == ("Topic", "1 document", 1)
    made = report(("One.", "Two."))
    second = made.passages[1]
    moved = second.model_copy(update={"place": second.place.model_copy(update={"page": None, "headings": ()})})
    (told,) = printed(made.model_copy(update={"passages": (made.passages[0], moved)}), "full")["sections"]
    assert told["parts"] == [
        ["What the documents require:", ""],
        ["One.", "Policy, 4.1, page 2"],
        ["Two.", "Policy"],
    ]


def test_topics_are_told_by_how_many_documents_speak_to_them() -> None:
    """Twelve at most, the broadest first, then in their order; other sections are no topics."""
    (section,) = report().sections
    sections = [
        section.model_copy(update={"number": n, "topic": f"t{n}", "document_count": 2 + (n == 9)}) for n in range(1, 14)
    ]
    sections.append(section.model_copy(update={"number": 14, "kind": "conflict", "document_count": 99}))
    told = printed(report(sections=tuple(reversed(sections))), "full")["coverage"]
    assert told == [[f"t{n}", 3 if n == 9 else 2, 1] for n in (9, *range(1, 9), *range(10, 13))]


@pytest.mark.parametrize(
    ("number", "noun"), [(0, "0 documents"), (1, "1 document"), (2, "2 documents"), (1200, "1,200 documents")]
)
def test_figures_have_their_nouns(number: int, noun: str) -> None:
    """And the kinds of statements that there are."""
    base = report()
    made = base.model_copy(update={"counts": base.counts.model_copy(update={"documents": number})})
    figures = [" ".join(row) for row in printed(made, "executive")["figures"]]
    assert figures[0] == noun
    assert figures[1] == "3 statements read: 1 obligation, 2 quantities"


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"locator": "4.2(a)", "page": 3}, "4.2(a), page 3"),
        ({"locator": "", "headings": ("4 Access", "4.1 Rights"), "page": None}, "4.1 Rights"),
        ({"locator": "", "headings": (), "page": 3, "page_label": "iii"}, "page iii"),
        ({"locator": "", "headings": (), "page": None}, ""),
    ],
)
def test_place_is_told_as_a_person_would_cite_it(fields: dict[str, Any], told: str) -> None:
    """By its numbers, else by the nearest heading; by the page's printed label where it has one."""
    place: Place = passage(1, "A rule.").place.model_copy(update=fields)
    assert place_of(place) == told
