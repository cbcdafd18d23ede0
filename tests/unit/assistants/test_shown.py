"""How much of what was found an assistant is shown, in which order, and under which addresses."""

from __future__ import annotations

from typing import Any, TypeVar

import pytest

from coditect.assistants.citing import Citing, is_quote, shortened
from coditect.assistants.comparing import changes_answer, checked_sentence, crosswalk_answer
from coditect.assistants.fencing import fenced, unfenced
from coditect.assistants.paging import page_after
from coditect.assistants.places import document_uri
from coditect.errors import UsageError
from coditect.schemas import (
    ChangedSide,
    CheckedSentence,
    CorpusChanges,
    Crosswalk,
    CrosswalkEvidence,
    CrosswalkRow,
    Source,
    TextEvidence,
)
from coditect.schemas.change import DocumentChanges, ProvisionChange
from coditect.schemas.record import Record
from coditect.schemas.text_report import Disagreement

R = TypeVar("R", bound=Record)

CITING = Citing("c", 3)


def source(name: str, sources: tuple[Source, ...] = (), **fields: Any) -> Source:  # noqa: ANN401 - of a record
    """An item that stands in a document, unless its fields say otherwise."""
    given = {"item_id": name, "tier": 1, "kind": "obligation", "text": name, "version_id": "v",
             "char_offset_start": 0, "char_offset_end": len(name)}  # fmt: skip
    return Source(**{**given, **fields}, sources=sources)


@pytest.mark.parametrize(("length", "cut"), [(1, False), (1499, False), (1500, False), (1501, True)])
def test_quotes_are_shown_up_to_fifteen_hundred_characters(length: int, cut: bool) -> None:
    """Of a longer one the beginning, and that it goes on."""
    text, told = shortened("x" * length)
    assert (len(unfenced(text)), told) == (min(length, 1500), cut)


@pytest.mark.parametrize(
    ("answering", "first"), [((0, 0), 0), ((0, 1500), 0), ((100, 1500), 0), ((100, 1501), 100), ((1900, 2000), 1900)]
)
def test_what_answers_is_inside_of_what_is_shown(answering: tuple[int, int], first: int) -> None:
    """A quote is shown from its beginning, and from where its answer begins where that would be cut."""
    words = "".join(chr(0x4E00 + n) for n in range(2000))
    text, told = shortened(words, answering)
    assert (unfenced(text), told) == (words[first : first + 1500], True)


def test_fences_are_named_by_sixteen_digits() -> None:
    """Hosts that know the form find it; "" has none."""
    assert fenced("x") == "<data 2d711642b726b044>\nx\n</data 2d711642b726b044>"
    with pytest.raises(ValueError, match="fence"):
        unfenced("<data 2d711642b726b044>\ny\n</data 2d711642b726b044>")


@pytest.mark.parametrize(("limit", "rows"), [(-1, 1), (0, 1), (1, 1), (49, 49), (50, 50), (51, 50), (1000, 50)])
def test_pages_have_one_to_fifty_rows(limit: int, rows: int) -> None:
    """Whatever is asked for."""
    page, following = page_after(range(60), "", limit)
    assert (list(page), following) == (list(range(rows)), str(rows))


def test_a_page_that_ends_with_the_rows_is_the_last() -> None:
    """No cursor leads to an empty page; one of twelve digits is one, of thirteen none."""
    assert page_after(range(7), "4", 3) == (range(4, 7), "")
    assert page_after(range(8), "4", 3) == (range(4, 7), "7")
    assert page_after(range(7), "9" * 12, 3)[1] == ""
    with pytest.raises(UsageError):
        page_after(range(7), "9" * 13, 3)


def test_addresses_name_a_part_by_both_its_ends() -> None:
    """Or the whole document; a corpus' name cannot lead out of its place."""
    whole = "coditect://corpora/a%2Fb/3/documents/v"
    assert document_uri("a/b", 3, "v", 0, 4) == f"{whole}?start=0&end=4"
    assert (
        document_uri("a/b", 3, "v") == document_uri("a/b", 3, "v", 2) == document_uri("a/b", 3, "v", None, 2) == whole
    )


def test_what_stands_in_a_document_word_for_word_is_a_quote() -> None:
    """A selection is none, nor what has no offset or no document; the first character has offset 0."""
    assert is_quote(source("x"))
    assert not is_quote(source("x", kind="chunk"))
    assert not is_quote(source("x", version_id=""))
    assert not is_quote(source("x", char_offset_start=None))


def test_citations_of_items_name_their_place() -> None:
    """With the offsets of the words; without any, the document's beginning."""
    cited = CITING.of_source(source("word", char_offset_start=7, char_offset_end=11, page=2, heading="Logs"))
    assert (cited.uri, cited.page) == ("coditect://corpora/c/3/documents/v?start=7&end=11", 2)
    assert (unfenced(cited.text), unfenced(cited.heading), cited.cut) == ("word", "Logs", False)
    unplaced = CITING.of_source(source("word", char_offset_start=None, char_offset_end=None))
    assert unplaced.uri.endswith("?start=0&end=0")


def test_leaves_are_cited_once_each_and_no_more_than_are_wanted() -> None:
    """In order; what stands in a document itself is cited instead of what it rests on."""
    deep = source("deep", char_offset_start=1, char_offset_end=5)
    quote = source("quote", (deep,))
    other = source("other", char_offset_start=9, char_offset_end=14)
    claim = source("claim", (source("chunk", (quote, quote), kind="chunk"), other, deep), char_offset_start=None)
    for most, names in (
        (1, ["quote"]),
        (2, ["quote", "other"]),
        (3, ["quote", "other", "deep"]),
        (9, ["quote", "other", "deep"]),
    ):
        assert [each.item_id for each in CITING.of_leaves([claim], most)] == names


def test_a_side_of_a_change_is_cited_by_its_first_extraction() -> None:
    """Where there is one."""
    side = ChangedSide(version_id="v", text="w", char_start=0, char_end=1, extraction_ids=("e1", "e2"))
    assert CITING.of_side("d", side).item_id == "e1"
    assert CITING.of_side("d", side.model_copy(update={"extraction_ids": ()})).item_id == ""


def _partly(of: type[R], **fields: Any) -> R:  # noqa: ANN401 - of a record
    """A record of which nothing but these fields is read."""
    made: R = of.model_construct(**fields)  # type: ignore[assignment]
    return made


def _sentence(**fields: Any) -> CheckedSentence:  # noqa: ANN401 - of a record
    evidence = tuple(
        TextEvidence(item_id=f"e{n}", document_id="d", document_name="d.md", version_id="v", raw_sha256="0" * 64, char_start=n,
                     char_end=n + 1, text="w")
        for n in range(5)
    )  # fmt: skip
    given = {
        "text": "s",
        "char_start": 0,
        "char_end": 1,
        "support_score": 0.5,
        "reason": "because",
        "evidence": evidence,
    }
    return CheckedSentence(**{**given, **fields})


def test_a_checked_sentence_shows_three_statements_or_the_two_that_disagree() -> None:
    """The best first; of a disagreement what says it before what denies it, and in what they differ."""
    plain = checked_sentence(_sentence(), CITING)
    assert ([each.item_id for each in plain.citations], plain.reason) == (["e0", "e1", "e2"], "because")
    apart = checked_sentence(_sentence(disagreement=Disagreement(supporting=4, refuting=1, detail="24 or 72")), CITING)
    assert ([each.item_id for each in apart.citations], apart.reason) == (["e4", "e1"], "24 or 72")


def test_a_page_of_a_crosswalk_counts_all_rows_and_shows_those_of_the_labels() -> None:
    """Each with three statements and the reason of the best."""

    def evidence(number: int) -> CrosswalkEvidence:
        return _partly(CrosswalkEvidence,
            item_id=f"e{number}", reason=f"r{number}", document="d.md", version_id="v", locator="", heading="", text="w",
            char_start=0, char_end=1,
        )  # fmt: skip

    labels = ("meets", "no evidence", "meets", "meets")
    rows = [
        _partly(
            CrosswalkRow,
            requirement_id="ac-1",
            part_id=f"p{n}",
            text="w",
            label=label,
            evidence=tuple(evidence(e) for e in range(n * 2)),
        )
        for n, label in enumerate(labels)
    ]
    found = _partly(Crosswalk, corpus_id="c", generation=3, rows=tuple(rows))
    every = crosswalk_answer(found, CITING, (), "", 3)
    assert (every.labels, every.parts, every.next_cursor) == ({"meets": 3, "no evidence": 1}, 4, "3")
    assert [(each.part_id, each.reason, len(each.citations)) for each in every.lines] == [
        ("p0", "", 0), ("p1", "r0", 2), ("p2", "r0", 3),
    ]  # fmt: skip
    some = crosswalk_answer(found, CITING, ("meets",), "1", 1)
    assert (some.labels, some.parts, some.next_cursor) == ({"meets": 3, "no evidence": 1}, 3, "2")
    assert [each.part_id for each in some.lines] == ["p2"]


def test_changes_are_shown_the_heaviest_first_then_by_document_and_number() -> None:
    """Each side in its generation, under the name that the document had there; a side that is absent is none."""
    side = ChangedSide(version_id="v", text="w", char_start=0, char_end=1)

    def change(number: int, weight: float, *, before: bool = True, after: bool = True) -> ProvisionChange:
        return _partly(ProvisionChange,
            number=number, weight=weight, kind="amended", duty="same", fields=(),
            before=side if before else None, after=side if after else None,
        )  # fmt: skip

    found = _partly(
        CorpusChanges,
        corpus_id="c",
        before=1,
        after=2,
        affected=(),
        documents=(
            _partly(
                DocumentChanges,
                document="b.md",
                former="",
                changes=(change(4, 1.0, before=False), change(3, 1.0), change(1, 5.0, after=False)),
            ),
            _partly(DocumentChanges, document="a.md", former="old.md", changes=(change(9, 1.0),)),
        ),
    )
    answer = changes_answer(found, "", 50)
    sides = [
        (each.document, each.before and each.before.document, each.after and each.after.document)
        for each in answer.changes
    ]
    assert sides == [
        ("b.md", "b.md", None),
        ("a.md", "old.md", "a.md"),
        ("b.md", "b.md", "b.md"),
        ("b.md", None, "b.md"),
    ]
    assert (answer.total, answer.next_cursor) == (4, "")
    first = answer.changes[1]
    assert first.before
    assert "/1/" in first.before.uri
    assert first.after
    assert "/2/" in first.after.uri
