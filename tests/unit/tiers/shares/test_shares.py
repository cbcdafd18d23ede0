"""Shares of documents: what is kept of one is what is read of it, in the format that this release writes."""

from __future__ import annotations

import random
from dataclasses import fields, replace
from functools import cache
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

import coditect.sample
from coditect.documents.profile.citations import OutwardReference
from coditect.documents.readers import read_source
from coditect.errors import Corrupt
from coditect.knowledge.building.gathered.kept import SHARES_VERSION
from coditect.knowledge.derivation.profiles import profile_of
from coditect.schemas import Chunk, document_order
from coditect.tiers.findings.conflicts.assertions.limits import LIMIT
from coditect.tiers.findings.conflicts.detection import conflicts_of, find_conflicts
from coditect.tiers.findings.conflicts.entries import (
    Entry,
    ReadEntries,
    deadlines_of,
    entries_of,
    read_entries,
    weights,
)
from coditect.tiers.findings.conflicts.likeness.circles import comparable_among
from coditect.tiers.findings.said.statements import Statement, statements_of
from coditect.tiers.findings.standing import Standings
from coditect.tiers.sections.composition import Drawn, Member, build_section
from coditect.tiers.sections.topics import given_topics
from coditect.tiers.sections.wording import document_words
from coditect.tiers.shares import families
from coditect.tiers.shares.families import conflicts_between
from coditect.tiers.shares.kept import KeptShare, opened
from coditect.tiers.shares.meeting.held import HeldEntries
from coditect.tiers.shares.meeting.known import WHOLE
from coditect.tiers.shares.packing import packed
from coditect.tiers.shares.share import Share, share_of
from coditect.tiers.shares.spoken import SpokenWords
from coditect.tiers.shares.sums import Sums
from tests.corpora import DOCUMENTS
from tests.unit.tiers import corpora
from tests.unit.tiers.corpora import chunks_of, versions_of
from tests.unit.tiers.read_plainly import find_topics, merged, speaks_to

FILES = {
    "access.md": "# Access Policy\n\n## 1 Access reviews\n\n1.1 Managers shall run access reviews every 90 days.\n\n"
    "1.2 Managers must approve remote access to the archive. Employees shall not share passwords.\n",
    "leavers.md": "# Leavers Standard\n\n## 1 Access reviews\n\n1.1 Managers must run access reviews every 30 days.\n\n"
    "1.2 Managers must not approve remote access to the archive. See the Incident Policy.\n",
    "paper.txt": "MEMO\n\nNothing here binds anybody.\n",
}

GOLDEN = Path(__file__).parent / "share-3.bin"
"""The share of ``access.md``, as this release writes it."""

FORMER = tuple(Path(__file__).parent / name for name in ("share-1.json", "share-2.bin"))
"""The same, as releases before wrote it."""

SOURCE = ("derivation_1", "derivation_2")

SAMPLE = {
    path.name: path.read_text(encoding="utf-8")
    for path in sorted((Path(coditect.sample.__file__).parent / "corpus").rglob("*.md"))
}
"""The documents of the sample corpus that are text."""

MANY = {f"{number}-{name}": text for number in range(7) for name, text in FILES.items()} | {
    f"log-{number}.md": f"# Log {number}\n\n## {number} Storage\n\nStaff shall file the log of access reviews number {number}.\n"
    for number in range(5)
}
"""More documents than a section quotes, several of them alike."""

SAYINGS = (
    "The Supplier {binds} notify the Customer of a breach of security within {n} {unit}.",
    "The Supplier {binds} keep the records of access reviews for {n} years.",
    "The Supplier {binds} review the access rights of its staff every {n} months.",
    "The Supplier {binds} disclose the records of access reviews to third parties.",
    "The Supplier {binds} submit the report on security incidents to the Customer within {n} days.",
    "The Supplier {binds} provide notice of a security incident to the Customer within {n} days.",
    "The Supplier {binds} use subcontractors for the storage of customer data without consent.",
    "Expenses above {n},000 pounds must be approved by the {who}.",
    "The use of subcontractors for the storage of customer data must be approved by the {who}.",
    "The {who} is responsible for the reviews of access rights of the staff.",
    "“Business Day” means a day on which banks are open in {place}.",
    "Customer data must be stored in {place}.",
    "Either party may terminate this Agreement by giving {n} days’ notice.",
    "Invoices for the services are payable within {n} days of receipt.",
    "The liability of the Supplier is limited to {n},000 pounds for each security incident.",
    "At least {n} members of the steering committee must be present.",
)


def _drawn(seed: int) -> dict[str, str]:
    """Contracts between two parties each, three by three, and policies, of sentences that say one thing in several ways."""
    draw = random.Random(seed)  # noqa: S311 - drawn for a test
    files = {}
    for number in range(9):
        one, two = (("Quarn Ltd", "Vessel Bank plc"), ("Ostrel GmbH", "Mellow SA"))[number // 3 % 2]
        between = f"This Agreement is made between {one} (the “Supplier”) and {two} (the “Customer”).\n\n"
        is_policy = number > 5 and seed % 2
        title = f"Security Policy {number}" if is_policy else f"Supply Agreement {number}"
        told = [
            f"{n}.1 "
            + each.format(
                binds=draw.choice(("shall", "must", "shall not", "may", "need not", "should")),
                n=draw.choice((2, 3, 10, 30, 90)),
                unit=draw.choice(("hours", "days", "business days")),
                who=draw.choice(("Head of Security", "Board", "Finance Director")),
                place=draw.choice(("London", "Frankfurt", "the European Union")),
            )
            for n, each in enumerate(draw.sample(SAYINGS, 12), 1)
        ]
        lines = "\n\n".join(told)
        files[f"{number}.md"] = f"# {title}\n\n{'' if is_policy else between}## 1 Security and access\n\n{lines}\n"
    return files


CORPORA = {"three": FILES, "tests": DOCUMENTS, "sample": SAMPLE, "many": MANY}
CORPORA |= {f"drawn {seed}": _drawn(seed) for seed in range(6)}


def _share(document_id: str, chunks: list[Chunk]) -> Share:
    reference = OutwardReference("extraction_1", document_id, 7, "Incident Policy", "section 2", is_titled=True)
    statements = statements_of(chunks)
    read = share_of(chunks, statements, ())
    return Share(read_entries(statements), (reference,), document_words(chunks), read.telling)


@cache
def _chunks(corpus: str) -> dict[str, list[Chunk]]:
    """Tier 2 by document, in the order of the documents."""
    found = {document_id: list[Chunk]() for document_id in sorted(versions_of(CORPORA[corpus]))}
    for chunk in chunks_of(CORPORA[corpus]):
        found[chunk.document_id].append(chunk)
    return found


def _packed(document_id: str, chunks: list[Chunk]) -> bytes:
    statements = statements_of(chunks)
    share = _share(document_id, chunks)
    numbered = {id(each.sentence): each for each in statements}
    own = ReadEntries(
        *(
            tuple(_of(entry, numbered[id(entry.statement.sentence)]) for entry in getattr(share.entries, each.name))
            for each in fields(ReadEntries)
        )
    )
    return packed(Share(own, share.references, share.words, share.telling), chunks, statements, SOURCE)


def _of(entry: Entry, statement: Statement) -> Entry:
    return Entry(statement, *(getattr(entry, each.name) for each in fields(Entry)[1:]))


@cache
def _kept(corpus: str) -> list[KeptShare]:
    return [opened(_packed(each, chunks), each, SOURCE) for each, chunks in _chunks(corpus).items()]


def _statement(corpus: str, document: int, number: int) -> Statement:
    return statements_of(list(_chunks(corpus).values())[document])[number]


def _held(corpus: str) -> tuple[HeldEntries, Standings]:
    files = CORPORA[corpus]
    versions = versions_of(files)
    profiles = {d: profile_of(v, files[v.name], None, "derivation_0") for d, v in versions.items()}
    standings = Standings(versions, profiles, "2026-09-30")
    shares = _kept(corpus)
    return HeldEntries(
        shares, standings, lambda own: [_statement(corpus, *each) for each in own], Sums.of(shares)
    ), standings


def test_share_is_read_as_it_was_kept() -> None:
    """References and entries are the same, of documents that say something and of one that does not."""
    for number, (document_id, chunks) in enumerate(_chunks("three").items()):
        kept, share = _kept("three")[number], _share(document_id, chunks)
        lists = [getattr(share.entries, each.name) for each in fields(ReadEntries)]
        wanted = [(which, entry) for which, own in enumerate(lists) for entry in own]
        statements = [_statement("three", number, each) for each in kept.numbers("entry_statements").tolist()]
        found = kept.entries(range(len(wanted)), statements)
        assert found == wanted
        assert kept.references == share.references
        assert kept.chunks == [chunk.chunk_id for chunk in chunks]


def test_entries_of_shares_are_those_of_all_statements() -> None:
    """Put together, what was read of each document is what is read of all of them: a duty counts where another disputes it."""
    parts = [read_entries(statements_of(chunks)) for chunks in _chunks("three").values()]
    statements = [each for chunks in _chunks("three").values() for each in statements_of(chunks)]
    together = merged(parts)
    assert together == entries_of(statements)
    assert {each.kind for each in together} >= {"frequency", "modality"}


def test_deadlines_read_alone_are_those_of_all_entries() -> None:
    """What they are read for asks for nothing else that sentences fix."""
    rows = "# Register\n\n| Task | Time |\n|---|---|\n| Access reviews of leavers | within 30 days |\n"
    statements = statements_of(chunks_of({**DOCUMENTS, "register.md": rows}))
    expected = [each for each in entries_of(statements) if each.kind == "deadline" and each.head != LIMIT]
    assert deadlines_of(statements) == expected
    assert len(expected) > 2


@pytest.mark.parametrize("corpus", CORPORA)
def test_conflicts_of_shares_are_those_of_all_statements(corpus: str) -> None:
    """Weights, counts and conflicts are the same, though only what may be in a conflict is made."""
    chunks = [chunk for own in _chunks(corpus).values() for chunk in own]
    entries = entries_of(statements_of(chunks))
    held, standings = _held(corpus)
    weight = weights(entries)
    sums = Sums.of(_kept(corpus))
    assert {word: sums.weights[word] for word in weight} == weight
    assert sums.weights.get("xyzzy") is None
    requirements = [each.statement.place[0] for each in entries if each.head != LIMIT]
    assert (sums.requirements, sums.documents) == (len(requirements), len(set(requirements)))
    found = conflicts_of(held.picked, sums.weights, standings, sums)
    assert found == find_conflicts(chunks, standings)
    assert len(held.picked) < len(entries)
    assert found


@pytest.mark.parametrize("corpus", CORPORA)
@pytest.mark.parametrize("most", [0, 12])
def test_conflicts_part_by_part_are_those_of_all_statements(
    corpus: str, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether families are looked at as wholes or their entries part by part; no sentence is in two parts."""
    monkeypatch.setattr(families, "MOST_TOGETHER", most)
    chunks = [chunk for own in _chunks(corpus).values() for chunk in own]
    _, standings = _held(corpus)
    shares = _kept(corpus)
    found = conflicts_between(
        shares, standings, lambda own: [_statement(corpus, *each) for each in own], Sums.of(shares)
    )
    assert found.told == find_conflicts(chunks, standings)
    numbers = {share.document_id: number for number, share in enumerate(shares)}
    sentences = [
        {(d, int(shares[numbers[d]].array("entry_statements", "<u4")[n])) for d, n in part if n != WHOLE}
        for part in found.known
    ]
    assert sum(map(len, sentences)) == len(set().union(*sentences))


@pytest.mark.parametrize("corpus", CORPORA)
def test_pairs_that_are_taken_over_are_those_that_are_found(corpus: str) -> None:
    """Whichever document changed; of a document that was in no group everything is found anew."""
    held, standings = _held(corpus)
    shares, kept = _kept(corpus), held.kept_pairs
    every = frozenset(share.document_id for share in shares)
    assert len(kept.ours)
    for apart in (replace(kept), replace(kept, groups=np.where(np.arange(len(shares)) == 1, -1, kept.groups))):
        for same in (every, *(every - {each} for each in every), frozenset[str]()):
            again = HeldEntries(
                shares, standings, lambda own: [_statement(corpus, *each) for each in own], Sums.of(shares), apart, same
            )
            assert again.kept_pairs.ours.tolist() == kept.ours.tolist()
            assert again.kept_pairs.theirs.tolist() == kept.theirs.tolist()


@pytest.mark.parametrize("corpus", CORPORA)
@pytest.mark.parametrize("most", [0, 1, 24])
def test_topics_of_shares_are_those_of_all_chunks(corpus: str, most: int) -> None:
    """And the same chunks speak to them."""
    chunks = [chunk for own in _chunks(corpus).values() for chunk in own]
    words = SpokenWords(_kept(corpus))
    topics = words.topics(most)
    assert topics == find_topics(chunks, most)
    asked = (*topics, *given_topics(("access reviews", "payment", "incident response plan of staff")))
    speakers = words.speakers(asked)
    kept = _kept(corpus)
    for number, topic in enumerate(asked):
        found = [(kept[e.document].chunks[e.chunk], e.relevance) for e in speakers[number].chunks]
        assert found == [(chunk.chunk_id, r) for chunk in chunks for _, r in speaks_to(chunk, (topic,))]


def test_share_has_a_place_for_every_field_of_an_entry() -> None:
    """Who adds a field to entries has to keep it, too, and to raise the format."""
    names = ("statement", "kind", "head", "says", "value", "strength", "words", "lead", "verb")
    assert tuple(each.name for each in fields(Entry)) == names
    assert tuple(each.name for each in fields(ReadEntries)) == ("measured", "stances", "told", "limits")


def _access() -> tuple[str, bytes]:
    document_id = next(each for each, version in versions_of(FILES).items() if version.name == "access.md")
    return document_id, _packed(document_id, _chunks("three")[document_id])


def test_format_of_shares_is_that_of_the_golden_copy(monkeypatch: pytest.MonkeyPatch) -> None:
    """A share is written byte for byte as it was when its format was numbered, of the documents of then: ids hold the reader."""
    monkeypatch.setattr(corpora, "read_source", lambda *given: replace(read_source(*given), reader="markdown/2"))
    document_id = _access()[0]
    chunks = [chunk for chunk in chunks_of(FILES) if chunk.document_id == document_id]
    assert _packed(document_id, chunks) == GOLDEN.read_bytes(), (
        "raise FORMAT in coditect/tiers/shares/packing.py, and keep the former copy"
    )
    assert SHARES_VERSION.startswith("share/3 ")


@pytest.mark.parametrize(
    "harm", [b"", b"{}", b"[1]", *(each.read_bytes() for each in FORMER), GOLDEN.read_bytes()[:-900]]
)
def test_damaged_share_is_told_with_its_document(harm: bytes) -> None:
    """It is no defect of the program, and the error names the document; a share of the former format is none either."""
    with pytest.raises(Corrupt) as told:
        opened(harm, "document_1", SOURCE)
    assert "document_1" in str(told.value)


def test_share_of_something_else_is_refused() -> None:
    """A share says what it was made of."""
    assert opened(_access()[1], "document_1", SOURCE)
    with pytest.raises(Corrupt):
        opened(_access()[1], "document_1", SOURCE[:1])


def test_comparable_documents_among_many_are_those_of_every_two() -> None:
    """Contracts are found by the parties that they have in common, and everything else is held against everything."""
    parties = ("Quarn Ltd", "Vessel Bank plc", "Ostrel GmbH", "Mellow SA")
    files = {
        f"{one[:2]}-{two[:2]}-{n}.md": f"# Supply Agreement {n}\n\nThis Agreement is made between {one} (the “Supplier”) and "
        f"{two} (the “Customer”).\n\n1.1 The Supplier shall pay monthly.\n"
        for one, two in combinations(parties, 2)
        for n in range(2)
    }
    files |= {f"{n}.md": f"# Payment Policy {n}\n\n1.1 Staff shall pay monthly.\n" for n in "ab"}
    versions = versions_of(files)
    profiles = {d: profile_of(v, files[v.name], None, "derivation_0") for d, v in versions.items()}
    for known in (Standings(versions, profiles), Standings(versions), Standings()):
        found = comparable_among(known, list(versions))
        assert found == {one: {other for other in versions if known.are_comparable(one, other)} for one in versions}
    assert sum(map(len, comparable_among(Standings(versions, profiles), list(versions)).values())) > len(versions) // 2


@pytest.mark.parametrize("corpus", CORPORA)
def test_sections_quote_leading_chunks_alone(corpus: str) -> None:
    """A section is the same whether quotes are chosen among the chunks that lead or among all."""
    words = SpokenWords(_kept(corpus))
    names = {document_id: version.name for document_id, version in versions_of(CORPORA[corpus]).items()}
    chunks = list(_chunks(corpus).values())
    fewer = False
    for topic, found in zip(words.topics(24), words.speakers(words.topics(24)), strict=True):
        members, leading = (
            [Member(chunks[e.document][e.chunk], e.relevance) for e in each] for each in (found.chunks, found.quoted)
        )
        ordered = sorted(members, key=lambda each: (document_order(each.document_id), each.char_start))
        drawn = Drawn(tuple(each.chunk_id for each in ordered), len({each.document_id for each in ordered}))
        every = build_section("small", "step", topic, members, names, 0.2)
        assert build_section("small", "step", topic, leading, names, 0.2, drawn) == every
        fewer = fewer or len(leading) < len(members)
    assert fewer or corpus != "many"
