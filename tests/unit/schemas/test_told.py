"""What records tell of themselves: a duty in a line, what is counted, what is signed, what stands in the log."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from coditect.schemas import (
    BuildSettings,
    CheckedSentence,
    Erasure,
    Failure,
    LogPrincipal,
    Manifest,
    PersonSignature,
    RegisterRow,
    TextReport,
    canonical_json,
    sha256_hex,
)
from coditect.schemas.archive import ArchiveHeader
from coditect.schemas.build import MOST_TOLD_BYTES
from coditect.schemas.document import document_id_for, document_order
from coditect.schemas.text_report import TextLabel


@pytest.mark.parametrize(
    ("actor", "action", "object_", "told"),
    [
        ("The Supplier", "notify the clerk", "", "The Supplier: notify the clerk"),
        ("The Supplier", "report", "an incident", "The Supplier: report"),
        ("The Supplier", "be reported", "an incident", "an incident: be reported by The Supplier"),
        ("The Supplier", "be reported by the supplier", "an incident", "an incident: be reported by the supplier"),
        ("The Supplier", "be available", "", "The Supplier: be available"),
        ("", "be kept", "Logs", "Logs: be kept"),
        ("", "keep", "logs", "logs: keep"),
        ("", "be  kept\nfor a year", "", "be kept for a year"),
        ("The Supplier", "", "", "The Supplier"),
        ("", "", "", ""),
    ],
)
def test_duty_is_told_by_who_acts_or_what_is_acted_upon(actor: str, action: str, object_: str, told: str) -> None:
    """In the passive what is acted upon comes first and who acts last, once; what is not known leaves no mark."""
    parts = {"actor": actor, "action": action, "object": object_}
    row = RegisterRow(kind="obligation", item_id="extraction_1", text="x", **parts)
    assert row.duty == told


def test_erased_file_is_known_again_by_its_hash_and_the_salt() -> None:
    """A file that went is known, another one is not, and with another salt nothing is."""
    salt, gone, other = "0f" * 16, "ab" * 32, "cd" * 32
    fields: dict[str, Any] = {
        "corpus_id": "c",
        "document_ids": ("document_1",),
        "reason": "Art. 17",
        "by": "An Officer",
        "at": "2026-01-01T00:00:00Z",
        "files": (Erasure.file_mark(salt, gone),),
    }
    erasure = Erasure.create(**fields, salt=salt)
    assert (erasure.knows(gone), erasure.knows(other)) == (True, False)
    assert not Erasure.create(**fields, salt="f0" * 16).knows(gone)


def test_failures_with_other_salts_may_say_the_same() -> None:
    """The salt alone makes no other failure; a word does."""
    failure = Failure(corpus_id="c", name="a.pdf", error="Unreadable", message="no text", salt="0f" * 16)
    assert failure.says_the_same(failure.model_copy(update={"salt": "f0" * 16}))
    assert failure.says_the_same(failure.model_copy(update={"salt": None}))
    assert not failure.says_the_same(failure.model_copy(update={"message": "no pages"}))


def test_report_counts_its_sentences_by_label() -> None:
    """Every label is named, with 0 where no sentence has it, and those that claim nothing are counted as such."""
    labels: tuple[TextLabel | None, ...] = ("supported", None, "unsupported", "supported", None, None)
    sentences = tuple(
        CheckedSentence(text="x", char_start=0, char_end=1, label=label, support_score=0.5) for label in labels
    )
    fields: dict[str, Any] = {"sentences": sentences}
    counts = TextReport.model_construct(**fields).counts()
    assert counts == {"supported": 2, "needs_review": 0, "sources_disagree": 0, "unsupported": 1, "no claim": 3}
    assert [*counts] == ["supported", "needs_review", "sources_disagree", "unsupported", "no claim"]
    assert {*counts} == {*get_args(TextLabel), "no claim"}


def test_statement_that_is_signed_holds_what_is_there_and_nothing_else() -> None:
    """Neither the signature nor its id, which come of it, and no field that is absent: a release that adds one can verify."""
    signed = PersonSignature.create(
        corpus_id="c",
        subject="review_1",
        subject_sha256="ab" * 32,
        shown="Logs are kept.",
        shown_sha256="cd" * 32,
        by="A. Auditor",
        role="auditor",
        at="2026-01-01T00:00:00Z",
        meaning="checked",
        key="k+1+x",
        signature="c2ln",
    )
    assert signed.statement == (
        b'coditect-signature/1\n{"$record":"signature/1","at":"2026-01-01T00:00:00Z","by":"A. Auditor","corpus_id":"c",'
        b'"key":"k+1+x","meaning":"checked","role":"auditor","shown":"Logs are kept.","shown_sha256":"'
        + b"cd" * 32
        + b'","subject":"review_1","subject_sha256":"'
        + b"ab" * 32
        + b'"}'
    )


def test_settings_of_up_to_2000_bytes_are_told_and_longer_ones_by_their_hash() -> None:
    """What a build ran with is readable in the log, unless it is long; the day is no part of it."""
    assert MOST_TOLD_BYTES == 2_000
    longest, longer = ("t" * 1_996,), ("t" * 1_997,)
    assert len(canonical_json(longest)) == 2_000
    for topics, told in ((longest, [*longest]), (longer, {"sha256": sha256_hex(canonical_json(longer))})):
        settings = BuildSettings(topics=topics, today="2026-01-01")
        fields: dict[str, Any] = {"settings": settings, "code_versions": {"tier1": "2"}}
        manifest = Manifest.model_construct(**fields)
        assert manifest.configuration["topics"] == told
        assert manifest.configuration["code_versions"] == {"tier1": "2"}
        assert "today" not in manifest.configuration


def test_name_is_held_by_its_pseudonym_of_32_digits() -> None:
    """Another name, or another salt, does not fit the pseudonym."""
    salt = "0f" * 16
    pseudonym = LogPrincipal.pseudonym_for("A. Auditor", salt)
    assert pseudonym == sha256_hex(canonical_json([salt, "A. Auditor"]))[:32]
    assert LogPrincipal(pseudonym=pseudonym, name="A. Auditor", salt=salt).holds
    assert not LogPrincipal(pseudonym=pseudonym, name="B. Auditor", salt=salt).holds
    assert not LogPrincipal(pseudonym=pseudonym, name="A. Auditor").holds


def test_documents_stand_in_one_order_in_every_corpus() -> None:
    """The order is that of the hash of the name, which stands behind the tag of the corpus."""
    names = [f"policy-{n}.md" for n in range(20)]
    by_hash = sorted(names, key=lambda name: sha256_hex(name.encode()))
    for corpus in ("one", "another"):
        ids = {document_id_for(corpus, name): name for name in names}
        assert [ids[each] for each in sorted(ids, key=document_order)] == by_hash
        assert {document_order(each) for each in ids} == {sha256_hex(name.encode())[:28] for name in names}


def test_archive_says_that_it_is_of_version_2() -> None:
    """A program that reads version 1 alone refuses it by this number."""
    fields: dict[str, Any] = {"tool_version": "1", "corpus_id": "c", "generation": 0, "build_id": "", "rows": {}}
    header = ArchiveHeader(**fields, corpus_digest="ab" * 32)
    assert (header.version, header.format) == (2, "coditect-knowledge-archive")
