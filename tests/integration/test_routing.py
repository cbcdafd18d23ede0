"""Questions that name a document, in full, in part or not at all, over contracts that say the same."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from coditect import BuildSettings, Settings, open_knowledge
from coditect.knowledge.service import Knowledge
from coditect.retrieve.local.parameters import RANKING, RankingParameters
from coditect.retrieve.local.ranker import ELSEWHERE
from coditect.retrieve.local.routing import NAMED_FROM, Router
from coditect.retrieve.local.search import HybridSearcher
from coditect.retrieve.port import Found, Request
from coditect.retrieve.words import read_words
from coditect.schemas import SearchFilters, SearchOptions
from coditect.schemas.query import QueryResult
from coditect.store.view import View

NAMES = (
    "Altan",
    "Borrowdale",
    "Corvane",
    "Drumlin",
    "Eskdale",
    "Fennimore",
    "Garvock",
    "Hexton",
    "Inverlay",
    "Jessop",
    "Kilbride",
    "Lorimer",
    "Mossgrove",
    "Nairnside",
    "Ormiston",
    "Penmarric",
    "Quorndon",
    "Ravelston",
    "Selkirk",
    "Tarrant",
    "Ulverby",
    "Venturi",
    "Wharfe",
    "Yarrowby",
)
PARTIES = {f"{name} Trading": 11 + 3 * number for number, name in enumerate(NAMES)}
"""Who signed, and after how many days their agreement ends."""

CLAUSES = (
    "The supplier shall deliver the goods to the address that the customer has named, and shall bear the risk until then.",
    "The customer shall pay each invoice within thirty days of its receipt, and may withhold what it disputes in good faith.",
    "Neither party is liable for indirect loss, and liability under this agreement is capped at the fees of one year.",
    "Each party keeps the other's confidential information secret, and returns or destroys it when the agreement ends.",
    "The supplier shall keep records of what it delivers, and the customer may audit them once in each calendar year.",
    "This agreement is governed by the law of England, and the parties submit to the jurisdiction of its courts.",
    "No party may assign its rights under this agreement without the consent of the other, which is not to be withheld.",
)


OTHER_WORDS = ("Corvane Trading", "Eskdale Trading", "Selkirk Trading")
"""Whose agreements end in other words than a question would use."""


def agreement(party: str, days: int) -> str:
    """A contract whose clauses stand in all others, too; only names and how it ends differ."""
    clauses = [f"## {number}. Clause\n\n{clause}\n" for number, clause in enumerate(CLAUSES * 6, 2)]
    term = f"## 90. Term\n\nThis agreement may be terminated by a notice of {days} days.\n"
    if party in OTHER_WORDS:
        term = (
            f"## 90. Length\n\nIt runs on until one side tells the other, {days} days ahead, that it wants to stop.\n"
        )
    # Its end stands far from where the parties are named.
    return "\n".join([f"# Supply Agreement\n\nBetween {party} Ltd and Grange Retail plc.\n", *clauses, term])


@pytest.fixture(scope="module")
def knowledge(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Knowledge]:
    """As many such contracts, built."""
    place: Path = tmp_path_factory.mktemp("routing")
    for party, days in PARTIES.items():
        (place / f"{party.split()[0].lower()}.md").write_text(agreement(party, days), "utf-8")
    with open_knowledge(Settings(store=f"lmdb://{place / 'store'}", cache=place / "cache", jobs=1)) as opened:
        opened.ingest("contracts", sorted(place.glob("*.md")))
        opened.build("contracts", BuildSettings())
        yield opened


def ask(knowledge: Knowledge, question: str, **options: object) -> QueryResult:
    """Passages, without the gate."""
    return knowledge.query(
        "contracts", question, tier="passage", options=SearchOptions.model_validate({"gate": False, **options})
    )


@pytest.mark.parametrize("party", ["Altan Trading", "Yarrowby Trading", *OTHER_WORDS])
@pytest.mark.parametrize(
    "question",
    [
        "Consider the Supply Agreement between {party} Ltd and Grange Retail plc; by what notice may it be terminated?",
        "By what notice may the agreement with {party} be terminated?",
        "When does what {party} agreed with Grange end?",
    ],
)
def test_question_that_names_a_party_is_answered_from_its_contract(
    knowledge: Knowledge, party: str, question: str
) -> None:
    """Also where other contracts say it more in the words of the question; and not from where the parties are named."""
    first = ask(knowledge, question.format(party=party)).hits[0]
    assert first.item.document_name == f"{party.split()[0].lower()}.md"
    assert party in OTHER_WORDS or "{party} agreed" in question or f"notice of {PARTIES[party]} days" in first.item.text


def test_question_that_names_nobody_leads_to_no_contract(knowledge: Knowledge) -> None:
    """All contracts that say it answer."""
    found = {hit.item.document_name for hit in ask(knowledge, "by what notice may it be terminated").hits}
    assert len(found) == 10
    assert not found & {f"{party.split()[0].lower()}.md" for party in OTHER_WORDS}


@pytest.mark.parametrize("party", ["Altan Trading", "Yarrowby Trading", *OTHER_WORDS])
def test_one_rare_word_leads_to_its_contract(knowledge: Knowledge, party: str) -> None:
    """As people ask who are in a hurry."""
    assert (
        ask(knowledge, f"{party.split()[0]}: notice of termination").hits[0].item.document_name
        == f"{party.split()[0].lower()}.md"
    )


def test_what_other_contracts_answer_leads_to_the_words_of_the_one_that_is_named(knowledge: Knowledge) -> None:
    """It says of its end what no other says, and nothing of a notice; passages of others that answer are nearest to that.

    Shown as a part of the score, and only where a document is named; without it the same passage has less of what is added.
    """
    searcher = knowledge.searcher
    assert isinstance(searcher, HybridSearcher)
    view = knowledge.view("contracts")

    def found(question: str, ranking: RankingParameters) -> Sequence[Found]:
        return searcher.with_ranking(ranking).search(view, Request(question, "passage", 200)).found

    asked = "By what notice may the agreement with Corvane Trading be terminated?"
    told = {each.item_id: {part.name: part for part in each.parts} for each in found(asked, RANKING)}
    corvane = next(each for each, version in view.documents.items() if version.name == "corvane.md")
    (last,) = [
        each.passage_id
        for each in view.passages(corvane)
        if each.level == 0
        and "wants to stop" in view.text_of(view.document(corvane))[each.char_offset_start : each.char_offset_end]
    ]
    others = [parts["elsewhere"].score for each, parts in told.items() if each != last and _is_of(view, each, corvane)]
    assert told[last]["elsewhere"].score > max(others)
    share = (len(PARTIES) - 1) / ELSEWHERE
    assert told[last]["elsewhere"].weight == pytest.approx(RANKING.elsewhere * share)
    assert told[last]["elsewhere"].contribution == pytest.approx(
        RANKING.elsewhere * share * told[last]["elsewhere"].score
    )
    for question, ranking in (
        (asked, replace(RANKING, elsewhere=0.0)),
        ("by what notice may it be terminated", RANKING),
    ):
        assert not any(part.name == "elsewhere" for each in found(question, ranking) for part in each.parts)


def _is_of(view: View, passage_id: str, document_id: str) -> bool:
    return any(each.passage_id == passage_id for each in view.passages(document_id))


def test_filter_is_stronger_than_a_name(knowledge: Knowledge) -> None:
    """Who filters for one contract and names another gets the first."""
    hits = ask(knowledge, "notice of termination of Corvane", filters=SearchFilters(documents=("altan.md",))).hits
    assert {hit.item.document_name for hit in hits} == {"altan.md"}


def test_topic_that_a_document_happens_to_begin_with_does_not_name_it(tmp_path: Path) -> None:
    """Ten documents speak of leakage somewhere, one at its beginning; a name stands at the beginning where it stands at all."""
    for number, name in enumerate(NAMES[:10]):
        begin = "Leakage and seepage are why this volume was made. " if number == 0 else ""
        filler = " ".join(CLAUSES * 8)
        text = f"# Volume\n\n{begin}Written for {name}.\n\n{filler}\n\nOf leakage and seepage of kind {number}, see {name}.\n"
        (tmp_path / f"{name.lower()}.md").write_text(text, "utf-8")
    place = tmp_path / "place"
    with open_knowledge(Settings(store=f"lmdb://{place / 'store'}", cache=place / "cache", jobs=1)) as opened:
        opened.ingest("volumes", sorted(tmp_path.glob("*.md")))
        opened.build("volumes", BuildSettings())
        view, searcher = opened.view("volumes"), opened.searcher
        assert isinstance(searcher, HybridSearcher)
        router = Router(searcher.replicas)
        documents = {view.document(each).name: each for each in view.documents}
        topic = router.closeness(view, read_words("leakage, seepage"), None).likely
        named = router.closeness(view, read_words("leakage, seepage: Corvane"), None).likely
    assert max(topic.values()) < NAMED_FROM
    assert max(named, key=lambda each: named[each]) == documents["corvane.md"]
    assert named[documents["corvane.md"]] > 2 * named.get(documents["altan.md"], 0.0)


def test_likelihoods_of_documents_sum_to_one(knowledge: Knowledge) -> None:
    """They are shares of one question."""
    searcher = knowledge.searcher
    assert isinstance(searcher, HybridSearcher)
    view = knowledge.view("contracts")
    named = Router(searcher.replicas).closeness(view, read_words("what does Drumlin pay"), None)
    unnamed = Router(searcher.replicas).closeness(view, read_words("what does the customer pay"), None)
    for close in (named, unnamed):
        assert sum(close.likely.values()) == pytest.approx(1.0)
    assert max(named.likely.values()) > 0.5 > max(unnamed.likely.values())
