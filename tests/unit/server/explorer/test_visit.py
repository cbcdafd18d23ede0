"""What a visit finds, in which generation, what is kept between requests, and how names are shortened."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from coditect.errors import NotFound
from coditect.schemas import DocumentVersion, Verdict
from coditect.schemas.verdict import Opinion, Signal
from coditect.server.explorer.links import PageLinks, corpus_of, segment_of
from coditect.server.explorer.pages import ASSETS, asset, first_of, render, render_alone, shorten, tabs_of, when
from coditect.server.explorer.shown.wording import (
    claim_kind,
    kind_name,
    media_name,
    pages_word,
    refusal,
)
from coditect.server.explorer.visit import KeptViews
from tests.unit.server.explorer.visits import TODAY, partly, view_of, visit_of


def _held(*names: str) -> object:
    """What finds these items, and nothing else."""

    def find(item_id: str) -> str:
        if item_id not in names:
            raise NotFound("unknown item")
        return item_id

    return find


def test_ninety_six_things_are_kept_between_requests() -> None:
    """The one that was used longest ago is made again."""
    kept = KeptViews()
    made: Any = []

    def get(number: int) -> int:
        return kept.get(number, lambda: made.append(number) or number)

    for number in range(96):
        get(number)
    get(0)
    assert made == list(range(96))
    get(96)
    get(0)
    assert made == list(range(97))
    get(1)
    assert made[97:] == [1]


def test_what_a_visit_remembers_is_of_its_generation_and_of_what_was_erased_from_it() -> None:
    """Another generation, another corpus' tenant or an erasure makes it anew."""
    first = visit_of(view_of(1), view_of(2))
    erased = view_of(2, shown_as="build-2-1")
    others = [visit_of(view_of(1), view_of(2), as_of=1), visit_of(view_of(1), erased)]
    assert first.key == visit_of(view_of(1), view_of(2)).key
    assert len({first.key, *(each.key for each in others)}) == 3
    assert first.remember("it", lambda: 1) == first.remember("it", lambda: 2) == 1
    assert (first.today, first.current, others[0].view.generation) == (TODAY, 2, 1)


def test_a_finding_is_found_by_what_it_is_known_by() -> None:
    """In every generation; what is none is unknown."""
    visit = visit_of(view_of(claim_by_finding={"finding_1": "the claim"}, find=_held("claim_1")))
    assert [str(visit.find(each)) for each in ("finding_1", "claim_1")] == ["the claim", "claim_1"]
    for unknown in ("finding_2", "claim_2"):
        with pytest.raises(NotFound):
            visit.find(unknown)


def test_a_version_is_a_documents() -> None:
    """Anything else of that name is not one."""
    version = partly(DocumentVersion, version_id="v")
    visit = visit_of(view_of(find=lambda item_id: version if item_id == "v" else "no document"))
    assert visit.version("v") is version
    with pytest.raises(NotFound, match="unknown version"):
        visit.version("w")


@pytest.mark.parametrize(
    ("as_of", "item", "found"),
    [
        (4, "old", 2),
        (4, "first", 1),
        (4, "newest", None),
        (1, "newest", 4),
        (2, "old", 1),
        (4, "none", None),
        (2, "mid", 3),
    ],
)
def test_an_item_of_another_generation_is_found_in_the_newest_one(as_of: int, item: str, found: int | None) -> None:
    """The one that is looked at, and one that is gone, are passed over."""
    held = {1: ("first", "old"), 2: ("old",), 3: ("mid",), 4: ("newest",)}
    views = [view_of(number, find=_held(*names)) for number, names in held.items()]
    assert visit_of(*views, as_of=as_of).generation_of(item) == found
    if item == "first":
        without = [each for each in views if each.generation != 3]
        assert visit_of(*without, as_of=4).generation_of("first") == 1


@pytest.mark.parametrize(
    ("text", "most", "shown"),
    [("one two three", 13, "one two three"), ("one two three", 12, "one two …"), ("one two three", 9, "one two …"),
     ("one two three", 8, "one …"), ("onetwothree", 5, "onet …"), ("one two three", 14, "one two three")],
)  # fmt: skip
def test_titles_are_cut_between_words(text: str, most: int, shown: str) -> None:
    """Where there are any."""
    assert shorten(text, most) == shown


@pytest.mark.parametrize(
    ("time", "shown"),
    [("2026-11-20T23:02:17Z", "2026-11-20 23:02 UTC"), ("2026-11-20T23:02Z", "2026-11-20 23:02 UTC"),
     ("2026-11-20T23:02", "2026-11-20T23:02"), ("2026-11-20", "2026-11-20"), ("", "")],
)  # fmt: skip
def test_times_are_shown_to_the_minute(time: str, shown: str) -> None:
    """A day stays a day."""
    assert when(time) == shown


def test_own_files_are_known_by_sixteen_digits() -> None:
    """The style sheet begins with the palette that the reports have, too."""
    for name in ASSETS:
        data, digest = asset(name)
        assert data
        assert len(digest) == 16
    assert b":root" in asset("explorer.css")[0].partition(b"{")[0] + b"{"
    assert not asset("keys.js")[0].startswith(b":root")
    assert first_of([1, 2, 3], 2) == [1, 2]


def test_a_page_has_tabs_where_it_is_of_a_corpus() -> None:
    """And says which generation it shows, where there is one."""
    visit = visit_of(view_of(2))
    for built in (True, False):
        shown = render(
            "error",
            replace(visit, is_built=built, may_analyse=built),
            title="Wrong",
            heading="Wrong",
            message="So.",
            hint="",
            back="/e/",
        )
        assert ("generation 2" in shown.lower()) == built
        assert all(f'href="{address}"' in shown for _, _, address in tabs_of(visit.links, may_analyse=built))
        assert (visit.links.to("crosswalk") in shown) == built
        assert "<title>Wrong · c · coditect knowledge</title>" in shown
        assert 'http-equiv="refresh"' not in shown
    again = render("error", visit, title="x", heading="x", refresh=True, message="So.", hint="", back="/e/")
    assert 'http-equiv="refresh"' in again
    alone = render_alone("sign_in", "/e", title="Sign in", next="", error="")
    assert "<title>Sign in · coditect knowledge</title>" in alone
    assert 'href="/e/c/' not in alone
    assert 'http-equiv="refresh"' not in alone


@pytest.mark.parametrize(
    ("corpus", "segment"),
    [("a b", "a%20b"), ("..", "~2E~2E"), (".", "~2E"), ("a.b", "a.b"), (".a", ".a"), ("a/b", "a~2Fb"), ("~", "~7E")],
)
def test_only_what_proxies_read_in_their_own_way_is_written_otherwise(corpus: str, segment: str) -> None:
    """Dots are, where there is nothing else; digits of an escape are two."""
    assert segment_of(corpus) == segment
    assert corpus_of("~2E~7e~") == ".~7e~"
    assert PageLinks("", corpus).to() == f"/c/{segment}"


def test_a_parameter_that_is_zero_is_one() -> None:
    """Only None, False, "" and () are left out; True is "yes"; a list is repeated."""
    links = PageLinks("", "c")
    assert links.to(a=0, b=False, c=None, d="", e=(), f=True, g=["x", "y"], h=1) == "/c/c?a=0&f=yes&g=x&g=y&h=1"
    assert links.to(a=None) == "/c/c"


@pytest.mark.parametrize(("count", "word"), [(0, ""), (1, "1 page"), (2, "2 pages"), (1200, "1,200 pages")])
def test_pages_are_counted_in_words(count: int, word: str) -> None:
    """Of a format without pages nothing is said."""
    assert pages_word(count) == word


def test_kinds_have_names() -> None:
    """Of statements, sections and findings; of what is none the keyword, readable."""
    assert [kind_name(each) for each in ("obligation", "cross_reference", "topic", "some_thing")] == [
        "Obligation", "Cross-reference", kind_name("topic"), "Some thing",
    ]  # fmt: skip
    assert (claim_kind("odd_kind"), media_name("odd/type"), media_name("text/html; charset=utf-8")) == (
        "Odd_kind", "odd/type", media_name("text/html"),
    )  # fmt: skip


def _verdict(reason: str, dismissed: bool = False, signals: tuple[tuple[bool, str], ...] = ()) -> Verdict:
    opinions = [partly(Opinion, judge="review", decision="dismiss" if dismissed else "accept")]
    found = tuple(partly(Signal, name="odd", passed=passed, detail=detail) for passed, detail in signals)
    return partly(Verdict, label="unsupported", filter_reason=reason, opinions=tuple(opinions), signals=found)


@pytest.mark.parametrize(
    ("verdict", "why"),
    [
        (_verdict("dismissed by A", dismissed=True, signals=((False, "x"),)), "dismissed by A"),
        (_verdict("low", signals=((False, "x"), (True, "y"), (False, "z"))), "x; z"),
        (_verdict("low", signals=((True, "y"),)), "low"),
        (_verdict(""), "its support is below the minimum"),
    ],
)
def test_a_refusal_has_a_reason(verdict: Verdict, why: str) -> None:
    """A person's, what its failed checks found, the stored one, or the usual one."""
    assert refusal(verdict) == why


@pytest.mark.parametrize(("count", "said"), [(1, "1 document<"), (2, "2 documents<"), (1234, "1,234 documents<")])
def test_a_corpus_says_how_many_documents_it_has(count: int, said: str) -> None:
    """In the singular where it is one."""
    row = SimpleNamespace(name="c", href="/e/c/c", generation=1, documents=count, built_at="2026-11-26T21:21:26Z")
    assert said in render("corpora", visit_of(), title="Corpora", corpora=[row])
