"""What became of duties from generation to generation and from edition to edition, as the commands and pages tell it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from coditect.compose import open_knowledge
from coditect.errors import NotFound, UsageError
from coditect.knowledge.report.collection import MOST_GENERATIONS
from coditect.knowledge.service import Knowledge
from coditect.schemas import BuildSettings
from coditect.settings import Settings

CORPUS = "bank"
HEAD = "# Rule\n\nEffective date: {}-01-01\n\n1.1 The firm shall report an incident within {} hours.\n\n"
RULES = (
    HEAD.format(2020, 72) + "1.2 The firm may use paper.\n",
    HEAD.format(2021, 24) + "1.2 The firm may use paper.\n",
    HEAD.format(2022, 24)
    + "1.2 Paper burns.\n\n1.3 The firm shall keep a register.\n\n1.4 The firm shall train its staff.\n",
)
OTHER = "# Annex\n\nThe clerk must sign. The clerk must file.\n"


@pytest.fixture(scope="module")
def knowledge(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Knowledge]:
    """Four generations of a rule; with the second a document came, which went with the fourth. All editions in another corpus."""
    place = tmp_path_factory.mktemp("history")
    folder, editions = place / "documents", place / "editions"
    folder.mkdir()
    editions.mkdir()
    with open_knowledge(Settings(store=f"lmdb://{place}/store", cache=place / "cache", jobs=1)) as opened:
        for number, text in enumerate((*RULES, RULES[-1])):
            (folder / "rule.md").write_text(text)
            if number == 1:
                (folder / "annex.md").write_text(OTHER)
            if number == 3:
                (folder / "annex.md").unlink()
            opened.ingest(CORPUS, [folder], sync=True)
            opened.build(CORPUS, BuildSettings())
        for name, text in zip(("c.md", "a.md", "b.md"), RULES, strict=True):
            (editions / name).write_text(text)
        opened.ingest("editions", [editions])
        opened.build("editions", BuildSettings())
        yield opened


def test_duties_are_counted_from_generation_to_generation(knowledge: Knowledge) -> None:
    """What became stricter, what came with a document, what went; the days are those of the builds."""
    history = knowledge.duty_history(CORPUS)
    assert (history.first, history.last) == ("1", "4")
    assert [(each.former, each.state, each.duties) for each in history.points] == [
        ("1", "2", {"added": 2, "stricter": 1}),
        ("2", "3", {"added": 2, "removed": 1}),
        ("3", "4", {"removed": 2}),
    ]
    told = [(each.document, each.status, each.duties) for each in history.points[0].documents]
    assert told == [("annex.md", "added", {"added": 2}), ("rule.md", "changed", {"stricter": 1})]
    assert all(each.at[:2] == "20" for each in history.points)


def test_history_has_the_figures_of_the_changes_one_by_one(knowledge: Knowledge) -> None:
    """The duties of a point are those of the list of changes between its two states."""
    for point in knowledge.duty_history(CORPUS).points:
        changes = knowledge.changes(CORPUS, before=int(point.former), after=int(point.state))
        told = [(each.document, each.status, each.duties) for each in changes.documents]
        assert told == [(each.document, each.status, each.duties) for each in point.documents]
        for document in changes.documents:
            if document.status == "changed":
                summed: dict[str, int] = {}
                for each in document.changes:
                    for name, count in each.duties.items():
                        summed[name] = summed.get(name, 0) + count
                assert summed == document.duties


def test_history_is_restricted_to_states_and_documents(knowledge: Knowledge) -> None:
    """A document that some states do not know is passed over there; a state that there is none of is refused."""
    assert [each.duties for each in knowledge.duty_history(CORPUS, before=2, after=3).points] == [
        {"added": 2, "removed": 1}
    ]
    annex = knowledge.duty_history(CORPUS, documents=["annex.md"])
    assert [each.duties for each in annex.points] == [{"added": 2}, {}, {"removed": 2}]
    assert knowledge.duty_history(CORPUS, documents=["nothing.md"]).points[0].documents == ()
    with pytest.raises(NotFound):
        knowledge.duty_history(CORPUS, after=9)
    with pytest.raises(NotFound, match="between"):
        knowledge.duty_history(CORPUS, before=3, after=2)


def test_editions_stand_in_the_order_of_the_days_from_which_they_bind(knowledge: Knowledge) -> None:
    """Whatever they are called; one alone has no history."""
    history = knowledge.duty_history("editions", editions=["*.md"])
    assert [(each.at, each.former, each.state) for each in history.points] == [
        ("2021-01-01", "c.md", "a.md"),
        ("2022-01-01", "a.md", "b.md"),
    ]
    assert history.points[0].duties == {"stricter": 1}
    with pytest.raises(UsageError, match="one edition"):
        knowledge.duty_history("editions", editions=["a.md"])
    with pytest.raises(NotFound):
        knowledge.duty_history("editions", editions=["nothing*"])


def test_report_has_the_history_up_to_its_generation(knowledge: Knowledge) -> None:
    """Of the newest generations alone, and never of what came after."""
    whole = knowledge.duty_history(CORPUS)
    assert knowledge.report(CORPUS).duties == whole.points
    assert knowledge.report(CORPUS, as_of=2).duties == whole.points[:1]
    assert len(whole.points) < MOST_GENERATIONS
