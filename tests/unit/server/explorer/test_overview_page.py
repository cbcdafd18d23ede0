"""The overview of a corpus, its lists of findings and of documents: what is counted, in which order, and where it leads."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from coditect.schemas import Claim, DocumentVersion, Section
from coditect.server.explorer.shown import documents as documents_module
from coditect.server.explorer.shown import overview as module
from coditect.server.explorer.shown.documents import document_list, section_list
from coditect.server.explorer.shown.overview import Bar, bars, claim_list, overview, since_last
from coditect.server.explorer.shown.statements import Resting
from tests.unit.server.explorer.visits import TODAY, partly, view_of, visit_of


def claim(name: str, severity: str | None = "high", kind: str = "conflict") -> Claim:
    """A finding."""
    return partly(
        Claim, claim_id=name, text=name, claim_kind=kind, severity=severity, confidence=None, citations=(), recipe={}
    )


def version(name: str, number: int = 1, **fields: Any) -> DocumentVersion:  # noqa: ANN401 - of a record
    """A version of a document."""
    given = {"version_id": f"{name}-{number}", "document_id": f"{name}-id", "name": name, "title": "", "page_count": 0,
             "media_type": "text/html", "text_length": 1234}  # fmt: skip
    return partly(DocumentVersion, **{**given, **fields})


def generation(number: int, *versions: DocumentVersion, **fields: Any) -> Any:  # noqa: ANN401 - a double
    """A generation of documents."""
    documents = {each.document_id: each for each in versions}
    return view_of(number, documents=documents, entries=documents, **fields)


@pytest.mark.parametrize(
    ("count", "of", "share"), [(1, 3, 33.33), (2, 3, 66.67), (0, 3, 0.0), (3, 3, 100.0), (0, 0, 0.0), (1, 8, 12.5)]
)
def test_a_bar_is_a_share_of_the_longest(count: int, of: int, share: float) -> None:
    """In percent, of nothing nothing."""
    assert Bar("x", count, of).share == share
    assert bars({"x": (count, "/x")}, of) == (Bar("x", count, of, "/x"),)


def overview_of(*claims: Claim, refused: tuple[str, ...] = (), **fields: Any) -> Any:  # noqa: ANN401 - doubles
    """The page of published claims."""
    summary = SimpleNamespace(claims=tuple(each.claim_id for each in claims), filtered=refused, summary_id="summary_1")
    given = {"claims": {each.claim_id: each for each in claims}, "summary": summary, **fields}
    return overview(visit_of(view_of(1, **given)), SimpleNamespace(), 7)  # type: ignore[arg-type]


def test_ten_findings_are_shown_the_most_severe_first() -> None:
    """Those that have no severity last; otherwise in the order of the summary."""
    severities = (None, "information", "low", "medium", "high", "odd", "high", "low", "low", "low", "low", "low")
    shown = overview_of(*(claim(f"c{n}", each) for n, each in enumerate(severities)))
    assert [each.claim_id for each in shown.findings] == ["c4", "c6", "c3", "c2", "c7", "c8", "c9", "c10", "c11", "c1"]
    assert (shown.waiting, shown.summary_id, shown.delta) == (7, "summary_1", None)
    assert [(each.label, each.count, each.of, each.tone) for each in shown.severities] == [
        ("High", 2, 6, "high"), ("Medium", 1, 6, "medium"), ("Low", 6, 6, "low"), ("Information", 1, 6, "information"),
    ]  # fmt: skip
    assert shown.severities[0].href == "/e/c/c/claims?severity=high"
    assert [(each.count, each.of) for each in shown.kinds] == [(12, 12)]
    nothing = overview_of()
    assert [each.of for each in nothing.severities] == [0, 0, 0, 0]
    assert nothing.kinds == ()


def overdue(name: str) -> Claim:
    """A finding that is told of a document, and of others in the same words."""
    recipe = {"standing": "overdue", "document": name}
    text = f"{name} was to be reviewed by a day that has passed: “2025”."
    return claim(f"claim-{name}", "medium", "standing").model_copy(update={"text": text, "recipe": recipe})


def test_what_is_said_of_several_documents_is_one_row() -> None:
    """With the names of the others, and the way to a list of each by itself; other findings keep their places."""
    found = [claim("first"), *(overdue(f"{n}.md") for n in range(12)), claim("last", "low")]
    shown = overview_of(*found)
    assert [each.claim_id for each in shown.findings] == ["first", "claim-0.md", "last"]
    assert shown.findings[0].alike == ()
    row = shown.findings[1]
    assert [name for name, _ in row.alike] == [f"{n}.md" for n in range(1, 12)]
    assert row.alike_href == "/e/c/c/claims?alike=claim-0.md"
    assert [each.count for each in shown.severities] == [1, 12, 1, 0]
    summary = SimpleNamespace(claims=tuple(each.claim_id for each in found), filtered=())
    visit = visit_of(view_of(1, claims={each.claim_id: each for each in found}, summary=summary))
    assert [each.claim_id for each in claim_list(visit, 1).page.rows] == ["first", "claim-0.md", "last"]
    each_of_them = claim_list(visit, 1, like="claim-3.md")
    assert [each.claim_id for each in each_of_them.page.rows] == [f"claim-{n}.md" for n in range(12)]
    assert {each.alike for each in each_of_them.page.rows} == {()}


def test_kinds_are_counted_the_most_frequent_first() -> None:
    """Against the most frequent one."""
    shown = overview_of(claim("a", kind="gap"), claim("b"), claim("d"))
    assert [(each.count, each.of, each.href) for each in shown.kinds] == [
        (2, 2, "/e/c/c/claims?kind=conflict"), (1, 2, "/e/c/c/claims?kind=gap"),
    ]  # fmt: skip


def test_five_reasons_of_refusals_are_shown_the_most_frequent_first() -> None:
    """All refusals are counted, also those without a verdict."""
    reasons = "aaabbcdef"
    verdicts = {
        f"r{n}": SimpleNamespace(label="unsupported", opinions=(), signals=(), filter_reason=each)
        for n, each in enumerate(reasons)
    }
    shown = overview_of(refused=(*verdicts, "gone"), verdicts=verdicts)
    assert shown.refused == (("a", 3), ("b", 2), ("c", 1), ("d", 1), ("e", 1))
    assert shown.refused_count == 10


def test_facts_are_counted_from_zero() -> None:
    """Each leads to its list, where there is one."""
    manifest = SimpleNamespace(build_id="b", counts={"documents": 1200, "claims": 3})
    facts = overview_of(manifest=manifest).facts
    assert [(word, count) for word, count, _ in facts] == [
        ("documents", "1,200"), ("statements", "0"), ("summaries", "0"), ("sections", "0"), ("findings", "3"),
        ("possible", "0"), ("refused", "0"),
    ]  # fmt: skip
    assert facts[0][2] == "/e/c/c/documents"
    assert facts[2][2] == ""


@pytest.mark.parametrize(("cited", "href"), [(1, "/e/c/c/documents?show=uncited"), (2, "")])
def test_documents_that_nothing_speaks_from_are_counted(monkeypatch: pytest.MonkeyPatch, cited: int, href: str) -> None:
    """And listed, where there are any."""
    parts = [SimpleNamespace(citation=None), SimpleNamespace(citation=SimpleNamespace(document_id="a-id"))]
    monkeypatch.setattr(module, "resting_claims", lambda _: dict.fromkeys(range(cited)))
    view = generation(1, version("a"), version("b"), sections=(partly(Section, content=parts),))
    quoted, by_findings = overview(visit_of(view), SimpleNamespace(), 0).coverage  # type: ignore[arg-type]
    assert (quoted.count, quoted.of, by_findings.count, by_findings.of, by_findings.href) == (1, 2, cited, 2, href)


def test_what_differs_from_the_generation_before_is_told_by_documents() -> None:
    """Six names of each kind, by name, and how many there are; none of the first, or where the one before is gone."""
    before = generation(1, version("same"), version("changed"), *(version(f"old{n}") for n in range(8)))
    after = generation(2, version("same"), version("changed", 2), *(version(f"new{n}") for n in range(7)))
    found = since_last(visit_of(before, after))
    assert found is not None
    assert (found.before, found.after, found.counts) == (1, 2, (7, 8, 1))
    assert found.added == tuple(f"new{n}" for n in range(6))
    assert found.removed == tuple(f"old{n}" for n in range(6))
    assert (found.changed, found.href) == (("changed",), "/e/c/c/changes?before=1&after=2")
    assert since_last(visit_of(before, after, as_of=1)) is None
    assert since_last(visit_of(after)) is None
    third = since_last(visit_of(before, after, generation(3, version("same"))))
    assert third is not None
    assert (third.before, third.counts) == (2, (0, 8, 0))


@pytest.mark.parametrize(
    ("asked", "found"),
    [({}, ["b", "d", "a"]), ({"severity": "high"}, ["b", "d"]), ({"kind": "gap"}, ["d"]), ({"severity": "low", "kind": "gap"}, []),
     ({"show": "refused"}, ["r"]), ({"show": "odd"}, ["b", "d", "a"]), ({"show": "refused", "severity": "high"}, [])],
)  # fmt: skip
def test_findings_are_listed_as_they_are_asked_for(asked: dict[str, str], found: list[str]) -> None:
    """The most severe first; what was refused by itself."""
    claims = {"a": claim("a", "low"), "b": claim("b"), "d": claim("d", kind="gap"), "r": claim("r", "low", "theme")}
    summary = SimpleNamespace(claims=("a", "b", "d"), filtered=("r",))
    given = {"show": "", "severity": "", "kind": "", **asked}
    shown = claim_list(visit_of(view_of(claims=claims, summary=summary)), 1, **given)
    assert [each.claim_id for each in shown.page.rows] == found
    assert [each for each, _ in shown.kinds] == (["theme"] if given["show"] == "refused" else ["conflict", "gap"])


@pytest.mark.parametrize(
    ("show", "href"), [("refused", "/e/c/c/claims?show=refused&page=2"), ("odd", "/e/c/c/claims?page=2")]
)
def test_lists_have_twenty_five_rows_to_a_page(show: str, href: str) -> None:
    """And lead to the next."""
    claims = {f"c{n}": claim(f"c{n}") for n in range(26)}
    summary = SimpleNamespace(claims=tuple(claims), filtered=tuple(claims))
    shown = claim_list(visit_of(view_of(claims=claims, summary=summary)), 1, show=show, severity="", kind="").page
    assert (len(shown.rows), shown.next) == (25, href)


@pytest.mark.parametrize(
    ("asked", "found"),
    [({}, ["a.md", "b.md", "c.md"]), ({"words": "B.M"}, ["b.md"]), ({"words": "plan"}, ["c.md"]), ({"words": "md\npl"}, ["c.md"]),
     ({"role": "policy"}, ["a.md"]), ({"role": "law"}, []), ({"show": "uncited"}, ["a.md", "c.md"]),
     ({"show": "odd"}, ["a.md", "b.md", "c.md"]),
     ({"words": "md", "role": "policy", "show": "uncited"}, ["a.md"])],
)  # fmt: skip
def test_documents_are_listed_as_they_are_asked_for(
    monkeypatch: pytest.MonkeyPatch, asked: dict[str, str], found: list[str]
) -> None:
    """By name; words may be of the title."""
    resting = [Resting(0, 1, each, "s", 0) for each in ("c1", "c1", "c2")]
    monkeypatch.setattr(documents_module, "resting_claims", lambda _: {"b.md-id": resting})
    monkeypatch.setattr(documents_module, "standing_of", lambda _view, day: {"a.md-id": ("x", day)})
    profiles = {"a.md-id": SimpleNamespace(role=SimpleNamespace(value="policy")), "b.md-id": SimpleNamespace(role=None)}
    view = generation(
        1, version("c.md", title="Plan"), version("a.md"), version("b.md", page_count=2), profiles=profiles
    )
    shown = document_list(visit_of(view), 1, **{"words": "", "role": "", "show": "", **asked})
    rows = {each.name: each for each in shown.page.rows}
    assert (list(rows), shown.roles) == (found, ("policy",))
    if not asked:
        assert [(each.role, each.findings, each.size) for each in rows.values()] == [
            ("policy", 0, "1,234 characters"), ("", 2, "2 pages"), ("", 0, "1,234 characters"),
        ]  # fmt: skip
        assert (rows["a.md"].standing, rows["b.md"].standing) == (f"x; {TODAY}", "")
        assert (rows["a.md"].media, rows["a.md"].href) == ("HTML", "/e/c/c/documents/a.md-1")


def test_sections_count_their_quotes() -> None:
    """Not the program's own words."""
    parts = [SimpleNamespace(citation=each) for each in ("a", None, "b")]
    made = partly(Section, section_id="s", topic="T", section_kind="topic", document_count=4, content=parts)
    (row,) = section_list(visit_of(view_of(sections=(made,))), 1).rows
    assert (row.topic, row.documents, row.quotes, row.href) == ("T", 4, 2, "/e/c/c/items/s")
