"""What the names of documents say of a question that names none of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from coditect import BuildSettings, Settings, open_knowledge
from coditect.knowledge.service import Knowledge
from coditect.retrieve.local.names import Names
from coditect.retrieve.local.search import HybridSearcher
from coditect.retrieve.port import Background, unit_number
from coditect.schemas import SearchOptions

SUBJECTS = (
    "encryption",
    "visitors",
    "backups",
    "patching",
    "onboarding",
    "logging",
    "vendors",
    "laptops",
    "incidents",
    "training",
)
RULE = "The team lead reviews how this is done every {number} months, and keeps a signed list of what was found in the register."


@contextmanager
def opened_with(place: Path, texts: Mapping[str, str]) -> Iterator[Knowledge]:
    """A corpus of plain texts, built."""
    (place / "texts").mkdir()
    for name, text in texts.items():
        (place / "texts" / name).write_text(text, "utf-8")
    with open_knowledge(Settings(store=f"lmdb://{place / 'store'}", cache=place / "cache", jobs=1)) as opened:
        opened.ingest("c", [place / "texts"])
        opened.build("c", BuildSettings())
        yield opened


def said(knowledge: Knowledge, question: Mapping[str, float], units: int) -> dict[str, float]:
    """What names say of a question whose stems are worth so much, by name."""
    searcher, view = knowledge.searcher, knowledge.view("c")
    assert isinstance(searcher, HybridSearcher)
    ids = {unit_number(each): each for each in view.entries}
    found = Names().said(view, searcher.replicas.index(view, "document"), ids, Background(units, question))
    return {view.document(each).name: value for each, value in found.items()}


@pytest.fixture(scope="module")
def telling(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Knowledge]:
    """Short procedures that say the same of different things; only their files' names say of which."""
    texts = {f"sop-{name}.txt": f"{RULE.format(number=at + 2)}\n" for at, name in enumerate(SUBJECTS)}
    with opened_with(tmp_path_factory.mktemp("telling"), texts) as opened:
        yield opened


def test_name_that_says_what_is_asked_leads_to_its_document(telling: Knowledge) -> None:
    """No text holds the word; the file's name does."""
    for name in ("encryption", "laptops", "training"):
        asked = f"how often is the signed list of {name} reviewed"
        found = telling.query("c", asked, tier="passage", options=SearchOptions(gate=False))
        assert found.hits[0].item.document_name == f"sop-{name}.txt"


def test_names_count_as_far_as_a_document_is_a_share_of_what_is_searched(telling: Knowledge) -> None:
    """The same question among as many units, and among a thousand times as many: long documents are about more than names say."""
    short = said(telling, {"encrypt": 2.0, "list": 2.0}, units=10)
    long = said(telling, {"encrypt": 2.0, "list": 2.0}, units=10_000)
    assert set(short) == set(long) == {"sop-encryption.txt"}
    assert 0 < long["sop-encryption.txt"] < short["sop-encryption.txt"] / 10
    assert short["sop-encryption.txt"] <= 1


def test_words_that_all_names_or_none_have_say_nothing(telling: Knowledge) -> None:
    """Nor what only asks."""
    assert said(telling, {"sop": 3.0, "escrow": 5.0, "encrypt": 0.0}, units=10) == {}
    assert said(telling, {}, units=10) == {}


def test_numbers_say_which_one_and_not_what_about(tmp_path: Path) -> None:
    """Rules that are named by their numbers; one of them by a word, too, which tells little of how the others are named."""
    texts = {f"17 {at}.txt": f"{RULE.format(number=at)}\n" for at in range(2, 22)} | {
        "list.txt": "Nothing stands here yet.\n"
    }
    with opened_with(tmp_path, texts) as opened:
        assert said(opened, {"17": 5.0}, units=30) == {}
        told = said(opened, {"list": 1.0}, units=21)
        assert set(told) == {"list.txt"}
        assert told["list.txt"] < 0.1


def test_names_of_one_document_say_nothing(tmp_path: Path) -> None:
    """There is no choice."""
    with opened_with(tmp_path, {"encryption.txt": RULE.format(number=2)}) as opened:
        assert said(opened, {"encrypt": 2.0}, units=10) == {}
