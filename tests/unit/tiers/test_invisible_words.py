"""What a policy says does not depend on characters that nobody sees, wherever they stand inside its words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coditect.documents.passages.checks import check_passages
from coditect.documents.readers import read_source
from coditect.language.matched import as_matched
from coditect.schemas import Chunk, Deadline, DocumentVersion, Extraction, ObligationData, Passage, PassageSettings
from coditect.tiers.chunks.summaries import chunk_records
from coditect.tiers.evidence import require_chunk, require_extraction
from coditect.tiers.extractions.document import extraction_records, read_document
from coditect.tiers.passages import passage_records
from tests.effort import times
from tests.unit.documents.passages.documents import PatternTokenizer
from tests.unit.tiers.corpora import version_of

POLICY = """# Supplier Security Policy

## 1 Definitions

"Supplier" means any company that processes data for Verrowen Health Payments Ltd.

## 2 Duties

2.1 The Supplier shall notify the Data Protection Officer of a personal data breach within 72 hours after becoming aware of it.

2.2 It must not disclose records to third parties, unless required by law under section 2.1.

2.3 The Supplier shall:

(a) encrypt all backups with AES 256; and

(b) delete personal data within thirty (30) days of termination.

2.4 Managers may grant exceptions. This policy shall be reviewed at least annually.

| Control | Owner | Frequency |
|---|---|---|
| Access review | Security Officer | Quarterly |
| Backup test | Operations | Annually |
"""

UNSEEN = (
    "\u00ad",
    "\u034f",
    "\u200b",
    "\u200c",
    "\u200d",
    "\u200e",
    "\u2060",
    "\u2064",
    "\ufe0f",
    "\ufeff",
    "\U000e0041",
    "\U000e0101",
)
INSIDE = [at for at in range(1, len(POLICY)) if POLICY[at - 1].isalnum() and POLICY[at].isalnum()]
NAME = "policy.md"

Said = tuple[object, ...]


def read(text: str) -> tuple[str, DocumentVersion, list[Extraction], list[Chunk], list[Passage]]:
    """The canonical text of a policy, and all that is derived of it."""
    source, version = read_source(text.encode(), NAME), version_of(NAME, text)
    reading = read_document(source)
    extractions = list(extraction_records(version, reading, "tier1"))
    chunks = list(chunk_records(version, reading, "tier2", extractions, "textrank"))
    own = PassageSettings(chunk_levels=(32, 128))
    return (
        source.text,
        version,
        extractions,
        chunks,
        list(passage_records(version, reading, "p", extractions, own, PatternTokenizer())),
    )


def without_places(data: Mapping[str, Any]) -> dict[str, Any]:
    """The data of an extraction without its offsets."""
    inner = {
        key: without_places(value)
        if isinstance(value, Mapping)
        else len(value)
        if key == "spans" and isinstance(value, list)
        else value
        for key, value in data.items()
    }
    return {key: value for key, value in inner.items() if key not in ("start", "end")}


def said(extractions: list[Extraction]) -> list[Said]:
    """What extractions say, whatever stands where."""
    return [
        (
            e.extraction_kind,
            as_matched(e.source_text),
            without_places(e.tier1_data.model_dump(mode="json")),
            e.section_id,
            e.heading,
            [(as_matched(each.text), each.name, each.kind) for each in e.entities],
            e.confidence,
            None
            if e.standalone is None
            else (e.standalone.text, [as_matched(r.text) for r in e.standalone.resolutions]),
        )
        for e in extractions
    ]


def chosen(chunks: list[Chunk]) -> list[Said]:
    """What chunks select, whatever stands where."""
    return [
        (
            c.heading,
            c.key_terms,
            c.entities,
            [(as_matched(s.text), s.score, s.measures, s.duties) for s in c.selected_sentences],
        )
        for c in chunks
    ]


PLAIN = read(POLICY)


@settings(max_examples=times(60, least=10), deadline=None)
@given(st.lists(st.tuples(st.sampled_from(INSIDE), st.sampled_from(UNSEEN)), max_size=60))
def test_policy_says_the_same_with_invisible_characters_inside_its_words(inserted: list[tuple[int, str]]) -> None:
    """Kinds, actors, deadlines, terms and sections are equal, quotes but for these characters; every quote is verbatim."""
    text = POLICY
    for at, unseen in sorted(inserted, reverse=True):
        text = text[:at] + unseen + text[at:]
    canonical, version, extractions, chunks, passages = read(text)
    plain, _, plain_extractions, plain_chunks, plain_passages = PLAIN
    assert said(extractions) == said(plain_extractions)
    assert chosen(chunks) == chosen(plain_chunks)
    assert [
        (as_matched(canonical[p.char_offset_start : p.char_offset_end]), p.context, p.token_count) for p in passages
    ] == [(plain[p.char_offset_start : p.char_offset_end], p.context, p.token_count) for p in plain_passages]
    for each in extractions:
        require_extraction(canonical, each)
        for put in each.standalone.resolutions if each.standalone else ():
            assert canonical[put.source_start : put.source_end] == put.text
            assert canonical[put.char_offset_start : put.char_offset_end] == put.replaces
            assert each.char_offset_start <= put.char_offset_start <= put.char_offset_end <= each.char_offset_end
    known = {each.extraction_id: each for each in extractions}
    for chunk in chunks:
        require_chunk(canonical, chunk, known)
    assert check_passages(passages, canonical, version) == []


def test_policy_in_which_nothing_is_invisible_holds_all_kinds() -> None:
    """The property above is about something."""
    kinds = {each.extraction_kind for each in PLAIN[2]}
    assert {"obligation", "prohibition", "permission", "definition", "cross_reference", "quantity"} <= kinds
    assert any(each.standalone for each in PLAIN[2])


def test_clauses_keep_their_place_in_a_text_with_invisible_characters() -> None:
    """The offsets inside the data of an extraction are those of the canonical text, too."""
    canonical, _, extractions, _, _ = read(
        "# A\n\nThe Sup\u200bplier sh\u200ball pay wi\u200bthin 30 da\u200bys of notice.\n"
    )
    (duty,) = [each for each in extractions if each.extraction_kind == "obligation"]
    assert isinstance(duty.tier1_data, ObligationData)
    deadline, clause = duty.tier1_data.deadline, duty.tier1_data.clause
    assert isinstance(deadline, Deadline)
    assert clause is not None
    assert canonical[deadline.start : deadline.end].startswith("wi\u200bthin 30 da\u200bys")
    assert canonical[clause.start : clause.end].startswith("The Sup\u200bplier")
    assert deadline.hours == 720


@pytest.mark.parametrize("mark", ["¹", "²", "⁽¹⁾", "\u200b¹", "†"])
def test_deadline_is_not_joined_with_the_mark_of_a_note(mark: str) -> None:
    """Thirty days stay thirty days, and the quote has the mark."""
    canonical, _, extractions, _, _ = read(f"# A\n\nThe Supplier shall pay within 30{mark} days of notice.\n")
    (duty,) = [each for each in extractions if each.extraction_kind == "obligation"]
    assert isinstance(duty.tier1_data, ObligationData)
    assert isinstance(duty.tier1_data.deadline, Deadline)
    assert duty.tier1_data.deadline.hours == 720
    assert f"30{mark} days" in duty.source_text
    require_extraction(canonical, duty)
