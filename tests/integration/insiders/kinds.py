"""The table: each kind of attack, and what finds it. Whatever is not named must not find it.

* ``own``: ``validate --log``, with the newest checkpoint that the store itself has.
* ``own+key``: the same after the insider has rewritten the log, too, so that it tells of what he made, and signed it with its key.
* ``kept``: ``validate --checkpoint``, with one that somebody kept, after all that. Where nothing was taken from the log and
  something was appended to it, nothing contradicts what was kept: it stands behind that, and the audit trail shows it.
* ``witness``: one that cosigned the kept checkpoint does not cosign the log after all that.
* ``deep``: ``validate --deep``, which computes the generation again from its files; looked at for what rules compute.
* ``bundle``: the verifier refuses a bundle of the report (with the log's key, the kept checkpoint, and a witness' cosignature asked
  for), or the program refuses to make it; looked at for what stands in one.
* ``remark``: ``validate`` says it beside findings.
* ``import``: the import refuses it.
* ``digest``: ``validate --log`` says which archive the corpus came with: not the one whose digest the export said.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tests.integration.insiders import derived, logs, persons, records, sequencers, tiers
from tests.integration.insiders.hands import Hands

__all__ = ["ARCHIVES", "BUNDLES", "KINDS", "Kind"]


@dataclass(frozen=True)
class Kind:
    """A kind of attack.

    Attributes:
        family: of attacks.
        name: of the attack.
        attack: what is done.
        finds: who finds it.
        looks: who is asked beside the checkpoints: "deep", "bundle".
        decided: whether persons had decided and signed; what they looked at cannot be changed without being found.
        rewrites: whether the log is rewritten behind the attack; not where the attack is on the log.
    """

    family: str
    name: str
    attack: Callable[[Hands], None]
    finds: frozenset[str]
    looks: tuple[str, ...] = ()
    decided: bool = True
    rewrites: bool = True


Attack = Callable[[Hands], None]

_TIERS: tuple[tuple[Attack, str], ...] = (
    (tiers.obligation_becomes_a_harmless_fragment, "own kept witness deep bundle"),
    (tiers.definition_means_something_else, "own kept witness deep bundle"),
    (tiers.reading_of_a_duty_is_falsified, "own kept witness deep bundle"),
    (tiers.standalone_statement_is_falsified, "own kept witness deep bundle"),
    (tiers.confidence_is_raised, "own kept witness deep bundle"),
    (tiers.extraction_is_deleted, "own own+key kept witness deep bundle"),
    (tiers.extraction_is_inserted, "own kept witness deep bundle"),
    (tiers.extractions_are_reordered, "own kept witness deep bundle"),
    (tiers.readings_are_swapped, "own kept witness deep bundle"),
    (tiers.outputs_are_changed_under_the_same_build_id, "own own+key kept deep bundle"),
    (tiers.text_is_forged_under_the_genuine_file, "own kept witness deep"),
    (tiers.file_is_replaced, "own kept witness"),
    (tiers.pending_document_is_derived_to_nothing, "deep"),
    (tiers.selected_sentence_is_dropped, "own kept witness deep bundle"),
    (tiers.chunk_is_deleted, "own own+key kept witness deep bundle"),
    (tiers.sentences_are_reordered, "own own+key kept witness deep bundle"),
    (tiers.passage_is_deleted, "own own+key kept witness deep bundle"),
    (tiers.profile_is_forged, "own own+key kept witness deep bundle"),
    (tiers.document_is_left_out_of_the_generation, "own own+key kept witness deep bundle"),
    (tiers.derivations_of_two_documents_are_swapped, "own own+key kept witness deep bundle"),
    (tiers.section_is_renamed, "own own+key kept witness deep bundle"),
    (tiers.quote_is_dropped_from_a_section, "own own+key kept witness deep bundle"),
    (tiers.quotes_are_reordered, "own own+key kept witness deep bundle"),
    (tiers.section_is_deleted, "own own+key kept witness deep bundle"),
    (tiers.sections_are_reordered, "own kept witness deep bundle"),
    (tiers.claim_is_reworded, "own own+key kept witness deep bundle"),
    (tiers.claim_is_deleted, "own kept witness deep bundle"),
    (tiers.claim_is_inserted, "own own+key kept witness deep bundle"),
    (tiers.claims_are_reordered, "own kept witness deep bundle"),
    (tiers.verdict_is_by_a_fictitious_checker, "own kept witness deep bundle"),
    (tiers.verdict_is_turned, "own own+key kept witness deep bundle"),
    (tiers.minimum_support_is_lowered, "own kept witness deep bundle"),
    (tiers.failures_are_not_counted, "own kept witness bundle"),
    (tiers.unread_files_are_not_told_of, "own kept witness deep bundle"),
    (tiers.blob_is_cut, "own own+key kept deep bundle"),
    (tiers.blob_is_deleted, "own own+key kept deep bundle"),
    (tiers.step_is_deleted, "own own+key kept bundle"),
    (tiers.item_stands_under_an_id_of_another_corpus, "own own+key kept"),
)
"""What a generation is made of; every id above the change is computed again, in all generations."""

_TOLD = {
    # changed, deleted, planted
    "intake": ("own kept witness", "own own+key kept witness", "own"),
    "failure": ("own kept witness", "own kept witness", "own"),
    "generation": ("own own+key kept witness", "own own+key kept witness", "own own+key kept"),
    "decision": ("own own+key kept witness", "own own+key kept witness", "own"),
    "signature": ("own own+key kept witness", "own kept witness", "own own+key kept"),
    "key of a person": ("own own+key kept witness", "own kept witness", "own own+key kept"),
    "key in the register": ("own kept witness", "own kept witness", "own"),
    "policy of approvals": ("own kept witness", "own kept witness", "own"),
    "mark": ("own kept witness", "own kept witness", "own"),
    "calibration": ("own kept witness", "own kept witness", "own"),
    "switch of the calibration": ("own own+key kept witness", "own own+key kept witness", "own"),
    "answer of a model": ("own kept witness", "own kept witness", "own"),
    "erasure order": ("own own+key kept witness", "own own+key kept witness", "own own+key kept"),
    "certificate of an erasure": ("own kept witness", "own own+key kept witness", "own"),
    "hold": ("own kept witness", "own kept witness", "own"),
    "release of a hold": ("own kept witness", "own kept witness", "own own+key kept"),
    "retention": ("own kept witness", "own own+key kept witness", "own own+key kept"),
}
"""Single records that the log tells of, by kind."""

_RECORDS: tuple[tuple[Attack, str], ...] = (
    (records.export_is_hidden, "own kept witness"),
    (records.read_is_changed_under_its_hash, "own own+key kept witness"),
    (records.read_is_replaced, "own kept witness"),
    (records.act_is_planted, "own"),
    (records.settings_are_hidden, "own own+key kept witness"),
    (records.settings_are_told_otherwise, "own own+key kept witness"),
    (records.settings_are_planted, "own own+key kept"),
    (records.revoked_token_holds_again, "own own+key kept"),
    (records.revocation_of_a_token_is_hidden, "own kept witness"),
    (records.token_is_planted, "own"),
    (records.token_gets_another_role, "own kept witness"),
    (records.token_is_made_with_the_act_of_another, "own own+key kept"),
    (records.principal_is_renamed, "own own+key kept"),
    (records.withdrawn_document_is_present, "own own+key kept witness"),
    (records.present_document_is_withdrawn, "own kept witness"),
    (records.intakes_are_swapped, "own kept witness"),
    (records.salts_are_swapped, "own own+key kept witness"),
    (records.answers_are_swapped, "own kept witness"),
    (records.generation_is_rolled_back, "own kept witness"),
    (records.pointer_is_rolled_back, "own own+key kept"),
    (records.corpus_is_older_than_it_was, "own kept witness"),
    (records.generations_are_swapped, "own own+key kept witness"),
)
"""Records that together hide something, and what belongs to the log alone."""

_DERIVED: tuple[tuple[Attack, str], ...] = (
    (derived.vector_is_changed, "own kept witness deep"),
    (derived.vectors_are_negated, "own kept witness deep"),
    (derived.vectors_of_two_documents_are_swapped, "own kept witness deep"),
    (derived.vectors_are_deleted, "own kept witness"),
    (derived.vectors_are_planted, "own"),
    (derived.feed_loses_an_ingest, "own kept witness"),
    (derived.feed_tells_of_an_ingest_that_never_was, "own"),
    (derived.feed_tells_of_other_counts, "own kept witness"),
    (derived.feed_events_of_ingests_are_swapped, "own own+key kept"),
    (derived.feed_tells_of_another_build, "own own+key kept"),
    (derived.feed_tells_of_another_time, "own own+key kept"),
    (derived.generation_is_backdated_with_its_feed, "own kept witness"),
)
"""What follows from a corpus: vectors, and what replicas follow. No build commits to it; the log tells of it."""

_PERSONS: tuple[tuple[Attack, str], ...] = (
    (persons.signature_by_an_unregistered_key, "own own+key kept bundle"),
    (persons.signature_is_made_up, "own own+key kept bundle"),
    (persons.signature_by_a_revoked_key, "own own+key kept bundle"),
    (persons.signature_by_a_revoked_key_of_before, "own own+key kept bundle"),
    (persons.decision_is_dated_before_the_policy, "own own+key kept"),
    (persons.signature_is_moved_to_another_claim, "own own+key kept witness bundle"),
    (persons.signature_is_moved_to_another_decision, "own own+key kept witness bundle"),
    (persons.signed_record_is_changed_under_its_signature, "own own+key kept witness bundle"),
    (persons.signatures_are_swapped, "own own+key kept witness bundle"),
    (persons.signature_is_backdated, "own own+key kept witness bundle"),
    (persons.key_without_proof_in_another_name, "own own+key kept bundle"),
    (persons.key_with_proof_in_another_name, "own bundle"),
    (persons.key_in_another_name_through_the_program, ""),
    (persons.revocation_is_deleted, "own kept witness"),
    (persons.revocation_is_planted, "own own+key kept"),
    (persons.sign_off_is_forged_in_a_name, "own"),
    (persons.sign_off_is_moved_to_another_claim, "own own+key kept witness bundle"),
    (persons.deletion_is_hidden_by_a_tombstone, "own own+key kept"),
    (persons.deletion_is_hidden_by_a_longer_tombstone, "own kept witness"),
    (persons.erasure_is_made_up, "own kept witness bundle"),
    (persons.certificate_says_that_nothing_was_found, "own kept witness"),
    (persons.tombstone_is_deleted, "own own+key kept"),
    (persons.hold_is_ended_by_nobody, "own"),
    (persons.retention_hides_a_generation, "own own+key kept witness"),
    (persons.erased_rows_come_back, "own own+key kept"),
    (persons.proof_of_a_key_is_forged, "own own+key kept witness"),
)
"""What persons signed and ordered."""

_LOG: tuple[tuple[Attack, str], ...] = (
    (logs.entry_is_rewritten, "own kept"),
    (logs.entry_is_deleted, "own kept"),
    (logs.entries_are_swapped, "own kept bundle"),
    (logs.tail_is_cut, "own kept witness bundle"),
    (logs.head_is_set_back, "own kept witness bundle"),
    (logs.head_has_another_root, "own kept"),
    (logs.tile_is_changed, "own kept bundle"),
    (logs.log_is_removed, "own kept witness bundle"),
    (logs.log_is_rewritten_without_the_key, "own kept witness bundle"),
    (logs.log_is_signed_with_a_key_of_that_name, "own kept witness bundle"),
    (logs.checkpoint_of_another_log, "own witness bundle"),
    (logs.signature_of_an_earlier_checkpoint, "own kept witness bundle"),
    (logs.event_is_repeated, "own kept"),
    (logs.generation_is_told_again, "own kept"),
    (logs.beginning_is_told_again, "own kept"),
    (logs.waiting_events_are_removed, "own kept"),
    (logs.events_are_entered_backwards, "remark"),
    (logs.cosignature_is_replayed, "bundle"),
    (logs.older_copy_of_the_store, "kept witness bundle"),
    (logs.tail_is_cut_with_its_checkpoints, "kept witness bundle"),
    (sequencers.second_sequencer_enters_events_twice, "own kept"),
    (sequencers.second_sequencer_begins_from_an_old_head, "own kept witness bundle"),
)
"""The log, by who has not its key."""

_SIGNED: tuple[tuple[Attack, str], ...] = (
    (logs.checkpoint_lends_the_signature_of_another_origin, "own witness bundle"),
    (logs.log_is_rewritten_from_the_middle, "kept witness bundle"),
    (logs.log_is_rewritten_and_is_longer, "kept witness bundle"),
    (logs.entry_is_inserted_in_the_middle, "kept witness bundle"),
    (logs.entries_are_reordered_and_signed, "own kept witness bundle"),
    (logs.times_are_backdated_and_signed, "kept witness bundle"),
    (logs.older_copy_that_went_on, "kept witness bundle"),
    (logs.split_view, "kept witness bundle"),
    (logs.checkpoint_of_no_log, "own witness bundle"),
    (logs.corpus_beside_the_log, "own kept witness bundle"),
    (sequencers.second_sequencer_signs_another_order, "kept witness bundle"),
    (derived.beginning_is_of_an_earlier_release, "kept witness remark bundle"),
)
"""The log, by who signs with its key."""

_OTHERS: tuple[tuple[Attack, str], ...] = (
    (logs.entries_of_another_tenant, "own kept"),
    (sequencers.entry_of_another_tenant_takes_the_place_of_ones_own, "own kept"),
    (sequencers.checkpoint_of_another_tenant, "own witness bundle"),
    (sequencers.log_of_another_tenant_under_the_same_key, "own kept witness bundle"),
    (logs.corpus_of_another_tenant, "own kept bundle"),
)
"""What is another tenant's."""


def _kinds(
    family: str, rows: tuple[tuple[Attack, str], ...], *looks: str, decided: bool = True, rewrites: bool = True
) -> list[Kind]:
    return [
        Kind(family, attack.__name__.replace("_", " "), attack, frozenset(finds.split()), looks, decided, rewrites)
        for attack, finds in rows
    ]


def _told() -> list[Kind]:
    made = []
    for told in records.TOLD:
        for verb, finds in zip((records.changed, records.deleted, records.planted), _TOLD[told.name], strict=True):
            name = f"{told.name} {verb.__name__}"
            made.append(Kind("records that the log tells of", name, verb(told), frozenset(finds.split())))
    return made


KINDS: tuple[Kind, ...] = (
    *_kinds("what a generation is made of", _TIERS, "deep", "bundle", decided=False),
    *_told(),
    *_kinds("records together, and the log's own", _RECORDS),
    *_kinds("what follows from a corpus: vectors and the feed", _DERIVED, "deep", decided=False),
    *_kinds("persons, erasure, holds, retention", _PERSONS, "bundle"),
    *_kinds("the log, without its key", _LOG, "bundle", rewrites=False),
    *_kinds("the log, signed with its key", _SIGNED, "bundle", rewrites=False),
    *_kinds("what is another tenant's", _OTHERS, "bundle", rewrites=False),
)

BUNDLES = "what is handed out: bundles"
"""Family of the attacks in ``bundles``; the verifier finds each."""

ARCHIVES = {
    "line_is_edited": ("import",),
    "line_is_deleted": ("import",),
    "lines_are_swapped": ("import",),
    # An archive carries no log: the log of the store that imports it names its digest, which its export said.
    "forged_before_export": ("deep", "digest"),
    "another_archive_is_imported_in_its_place": ("digest",),
    "import_is_told_of_the_genuine_archive": ("kept",),
}
"""Attacks in ``archives``, and who finds each."""
