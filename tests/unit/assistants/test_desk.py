"""How much one answer of the desk holds, and to whom: each bound from both its sides."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from coditect.assistants.fencing import fenced, unfenced
from coditect.errors import NotFound, UsageError
from coditect.schemas import Source
from coditect.server.access.callers import ROLES, ModelUse
from tests.unit.assistants.desks import desk_of, step

LONG = "abcdefghij" * 4001


def hit_of(item: Source, **fields: Any) -> Any:  # noqa: ANN401 - a double
    """A hit, without a focus and without a word of the gate."""
    return SimpleNamespace(**{"item": item, "relevance": None, "focus": None, "mark": "", **fields})


def found_of(*hits: Any) -> Any:  # noqa: ANN401 - a double
    """The answer to a question, of another generation than the current one."""
    return SimpleNamespace(generation=2, hits=hits, note="narrow")


@pytest.mark.parametrize(("limit", "asked"), [(1, 1), (19, 19), (20, 20), (21, 20), (1000, 20)])
def test_a_search_asks_for_twenty_answers_at_most(limit: int, asked: int) -> None:
    """With their sources, in the generation and the documents that were named."""
    desk = desk_of(query=found_of())
    answer = desk.search("c", "who?", "passage", limit, ["a*"], 2)
    ((name, given, named),) = desk.knowledge.asked  # type: ignore[attr-defined]
    assert (name, given) == ("query", ("c", "who?"))
    assert (named["limit"], named["as_of"], named["tier"]) == (asked, 2, "passage")
    assert named["include_sources"] is True
    assert named["options"].filters.documents == ("a*",)
    assert (answer.items, answer.generation, answer.note) == ((), 2, "narrow")


def test_what_was_found_says_what_the_gate_and_a_person_say() -> None:
    """Where they said anything, and cites the focus instead of the whole."""
    decided = SimpleNamespace(decision="accept")
    whole = step("whole")
    judged = hit_of(step("judged").model_copy(update={"decided": decided}), relevance="ambiguous", focus=step("focus"))
    plain, second = desk_of(query=found_of(hit_of(whole), judged)).search("c", "?", "passage", 5, (), None).items
    assert (plain.relevance, plain.decided, [each.item_id for each in plain.citations]) == ("", "", ["whole"])
    assert (second.relevance, second.decided) == ("ambiguous", "accept")
    assert [each.item_id for each in second.citations] == ["focus"]
    assert second.uri == "coditect://corpora/c/2/items/judged"


@pytest.mark.parametrize(("leaves", "cited"), [(3, 3), (4, 4), (5, 4), (9, 4)])
def test_an_item_that_was_found_is_cited_up_to_four_times(leaves: int, cited: int) -> None:
    """The chain has all."""
    item = step("sum", *(step(f"leaf{n}") for n in range(leaves)), kind="chunk")
    (answer,) = desk_of(query=found_of(hit_of(item))).search("c", "?", "chunk", 5, (), None).items
    assert [each.item_id for each in answer.citations] == [f"leaf{n}" for n in range(cited)]


@pytest.mark.parametrize(("steps", "left_out"), [(59, 0), (60, 0), (61, 1), (65, 5)])
def test_a_chain_shows_sixty_steps_and_counts_the_others(steps: int, left_out: int) -> None:
    """The item itself first, at depth 0; only what stands in a document is cited."""
    item = step("top", *(step(f"s{n}") for n in range(steps - 1)), kind="section", char_offset_start=None, tier=3)
    answer = desk_of(chain=item).chain("c", "top", None)
    assert (len(answer.links), answer.left_out) == (min(steps, 60), left_out)
    first, second = answer.links[:2]
    assert (first.depth, first.item_id, first.citation, unfenced(first.text)) == (0, "top", None, "top")
    assert (second.depth, second.citation and second.citation.item_id) == (1, "s0")


def test_a_chain_is_told_depth_first() -> None:
    """Each step one deeper than what rests on it."""
    item = step("a", step("b", step("c"), step("d")), step("e"))
    answer = desk_of(chain=item).chain("c", "a", None)
    assert [(each.item_id, each.depth) for each in answer.links] == [("a", 0), ("b", 1), ("c", 2), ("d", 2), ("e", 1)]


@pytest.mark.parametrize(
    ("start", "length", "end", "following"),
    [(0, 10, 10, 10), (0, 19_999, 19_999, 19_999), (0, 20_000, 20_000, 20_000), (0, 20_001, 20_000, 20_000),
     (40_000, 10, 40_010, None), (40_000, 9, 40_009, 40_009), (40_000, 11, 40_010, None), (40_009, 1, 40_010, None)],
)  # fmt: skip
def test_a_document_is_read_up_to_twenty_thousand_characters_at_a_time(
    start: int, length: int, end: int, following: int | None
) -> None:
    """And at its end nothing follows."""
    part = desk_of(texts={"a.md": LONG}).read("c", "a.md-v1", start, length, None)
    assert (part.start, part.end, part.of, part.next_start) == (start, end, 40_010, following)
    assert unfenced(part.text) == LONG[start:end]
    assert part.uri == f"coditect://corpora/c/3/documents/a.md-v1?start={start}&end={end}"


@pytest.mark.parametrize("start", [40_010, 40_011])
def test_nothing_is_read_behind_the_end(start: int) -> None:
    """It says where that is."""
    with pytest.raises(UsageError, match="ends before"):
        desk_of(texts={"a.md": LONG}).read("c", "a.md", start, 1, None)


@pytest.mark.parametrize(
    ("text", "start", "end", "words"),
    [("abcdef", None, None, "abcdef"), ("abcdef", 1, None, "bcdef"), ("abcdef", None, 2, "ab"), ("abcdef", 0, 1, "a"),
     ("abcdef", 5, 6, "f"), ("abcdef", 0, 6, "abcdef"), (LONG, 5, 20_005, LONG[5:20_005])],
)  # fmt: skip
def test_an_address_leads_to_its_words(text: str, start: int | None, end: int | None, words: str) -> None:
    """All of them where it names no part."""
    assert desk_of(texts={"a": text}).words("c", 3, "a-v1", start, end) == fenced(words)


@pytest.mark.parametrize(
    ("start", "end", "error"),
    [(3, 3, NotFound), (4, 3, NotFound), (-1, 3, NotFound), (0, 40_011, NotFound), (0, 20_001, UsageError),
     (None, None, UsageError), (20_009, None, UsageError)],
)  # fmt: skip
def test_an_address_of_no_place_or_of_too_much_leads_nowhere(
    start: int | None, end: int | None, error: type[Exception]
) -> None:
    """At most twenty thousand characters are one resource."""
    with pytest.raises(error):
        desk_of(texts={"a": LONG}).words("c", 3, "a-v1", start, end)


@pytest.mark.parametrize("name", ["b", "b-id", "b-v1"])
def test_a_document_is_known_by_its_name_and_by_both_its_ids(name: str) -> None:
    """The others are passed over; what is none of them is unknown."""
    desk = desk_of(texts={"a": "first", "b": "second"})
    assert unfenced(desk.read("c", name, 0, 9, None).text) == "second"
    with pytest.raises(NotFound, match="unknown document"):
        desk.read("c", f"{name}x", 0, 9, None)


def test_documents_come_by_name_with_the_role_that_a_profile_says() -> None:
    """Without a profile, or without a role in it, none is said."""
    profiles = {"a-id": SimpleNamespace(role=SimpleNamespace(value="policy")), "b-id": SimpleNamespace(role=None)}
    desk = desk_of(texts={"b": "22", "c": "3", "a": "1"}, profiles=profiles)
    answer = desk.documents("c", "", 2, None)
    assert [(each.document, each.role, each.characters) for each in answer.documents] == [
        ("a", "policy", 1), ("b", "", 2),
    ]  # fmt: skip
    assert answer.next_cursor == "2"
    (last,) = desk.documents("c", "2", 2, None).documents
    assert (last.document, last.role, last.uri) == ("c", "", "coditect://corpora/c/3/documents/c-v1")


@pytest.mark.parametrize("role", ROLES)
def test_checks_and_comparisons_need_a_role_that_may_analyse(role: Any) -> None:  # noqa: ANN401 - a word
    """Reading needs none."""
    desk = desk_of(
        role,
        verify=SimpleNamespace(generation=3, label="supported", counts=dict, examiner="", sentences=()),
        query=found_of(),
    )
    assert desk.search("c", "?", "passage", 1, (), None).corpus_id == "c"
    if role in ("analyst", "reviewer", "administrator"):
        assert desk.verify("c", "x", None).label == "supported"
    else:
        with pytest.raises(UsageError, match="role"):
            desk.verify("c", "x", None)


def test_a_corpus_is_known_where_it_is_granted_and_there() -> None:
    """Both together; otherwise it is unknown, in the same words."""
    desk = desk_of(corpora=("c", "gone"), query=found_of())
    assert [each.corpus_id for each in desk.corpora().corpora] == ["c"]
    assert [each.corpus_id for each in desk_of().corpora().corpora] == ["c", "d"]
    assert desk.search("c", "?", "passage", 1, (), None).generation == 2
    for name in ("d", "gone", "never"):
        with pytest.raises(NotFound, match="unknown corpus"):
            desk.search(name, "?", "passage", 1, (), None)


@pytest.mark.parametrize("beside", ["", "c"])
def test_a_corpus_is_not_held_against_the_whole_of_itself(beside: str) -> None:
    """Its own framework has to be named."""
    with pytest.raises(UsageError, match="which framework"):
        desk_of().crosswalk("c", "", beside, (), "", 5)


@pytest.mark.parametrize(
    ("use", "told"),
    [
        (ModelUse(frozenset(("analyst",))), "not switched"),
        (ModelUse(frozenset(("administrator",)), by_assistants=True), "role analyst"),
    ],
)
def test_no_model_reads_unless_the_operator_has_said_so(use: ModelUse, told: str) -> None:
    """For assistants at all, and for the caller's role; without it the text is checked as ever."""
    checked = SimpleNamespace(generation=3, label="supported", counts=dict, examiner="", sentences=())
    desk = replace(desk_of(verify=checked), model_use=use)
    with pytest.raises(UsageError) as refused:
        desk.verify("c", "x", None, llm=True)
    assert told in (refused.value.hint or "")
    assert desk.verify("c", "x", None).label == "supported"


def test_a_model_reads_where_the_operator_has_said_so() -> None:
    """It is opened for the corpus, heard while the text is checked, and named in the answer."""
    checked = SimpleNamespace(generation=3, label="supported", counts=dict, examiner="roles/1 examiner/1", sentences=())
    use = ModelUse(frozenset(("analyst",)), by_assistants=True)
    desk = replace(desk_of(verify=checked, examiner=nullcontext("the model")), model_use=use)
    assert desk.verify("c", "x", None, llm=True).examiner == "roles/1 examiner/1"
    asked = desk.knowledge.asked  # type: ignore[attr-defined]
    assert [each[0] for each in asked] == ["examiner", "verify"]
    assert asked[1][2]["examiner"] == "the model"
