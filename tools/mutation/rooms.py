"""Which tests answer for which room of the product."""

from __future__ import annotations

from pathlib import PurePosixPath

__all__ = ["TESTS", "folder", "innermost", "outermost"]

_PINS = "tests/integration/test_pinned_derivations.py"
_READINGS = "tests/unit/tiers/test_pinned_readings.py"
_SENTENCES = "tests/unit/language/test_pinned_sentences.py"
_SHAPES = "tests/unit/documents/test_pinned_shapes.py"
_JUDGEMENTS = "tests/unit/verify/test_pinned_judgements.py"
_BUILDS = (_PINS, "tests/integration/test_build_incremental.py", "tests/integration/test_build_generations.py")
_BESIDE = {"benchmarks": "coditect_benchmarks", "verifier": "coditect_verify"}
"""Distributions beside the product, which count as a room each: the packages that they hold."""

TESTS: dict[str, tuple[str, ...]] = {
    "agents": (
        "tests/unit/agents",
        "tests/unit/models/claude/test_roles.py",
        "tests/integration/test_agents_build.py",
        "tests/e2e/test_kill_agents.py",
    ),
    "cli": (
        "tests/unit/cli",
        "tests/unit/api",
        "tests/e2e/test_cli_commands.py",
        "tests/e2e/test_verify_cli.py",
        "tests/e2e/test_store_cli.py",
        "tests/e2e/test_decisions_cli.py",
        "tests/e2e/test_cli_archive.py",
        "tests/e2e/test_calibrate_cli.py",
        "tests/e2e/test_feed_cli.py",
        "tests/e2e/test_registers_cli.py",
        "tests/e2e/test_gateway.py",
        "tests/e2e/test_sessions.py",
        "tests/e2e/test_audit_cli.py",
        "tests/e2e/test_changes_cli.py",
        "tests/e2e/test_erasure_cli.py",
        "tests/e2e/test_proof_cli.py",
        "tests/e2e/test_questionnaire_cli.py",
        "tests/e2e/test_cli_processes.py",
        "tests/integration/crosswalk",
    ),
    "documents": (
        "tests/unit/documents/test_pinned_structures.py",
        _SHAPES,
        "tests/unit/documents",
        _READINGS,
        _PINS,
        "tests/integration/test_ingest_files.py",
        "tests/integration/test_hierarchy.py",
        "tests/hostile",
    ),
    "documents/profile": (
        "tests/unit/documents/profile",
        _SHAPES,
        "tests/unit/tiers",
        _PINS,
        "tests/integration/test_manifest.py",
    ),
    "engine": (
        "tests/unit/engine",
        "tests/contract",
        "tests/integration/test_lmdb_processes.py",
        "tests/property/test_tuples.py",
    ),
    "engine/foundationdb": (
        "tests/unit/engine/test_foundationdb.py",
        "tests/contract/test_engine_foundationdb.py",
        "tests/contract/test_fake_fdb.py",
        "tests/integration/test_fdb_bulk.py",
        "tests/integration/test_fdb_faults.py",
        "tests/integration/test_fdb_corpus.py",
    ),
    "integrity": (
        "tests/unit/integrity",
        "tests/integration/test_validate.py",
        "tests/integration/test_decisions.py",
        "tests/integration/test_report.py",
        "tests/integration/test_indexes.py",
        "tests/property/test_tamper.py",
        "tests/integration/insiders",
        "tests/integration/test_log.py",
        "tests/integration/test_archive.py",
    ),
    "integrity/indexing": (
        "tests/unit/integrity",
        "tests/integration/test_indexes.py",
        "tests/integration/test_evolution.py",
        "tests/property/test_index_answers.py",
    ),
    "integrity/sweeping": ("tests/unit/integrity", "tests/integration/test_sweep.py", "tests/property/test_sweep.py"),
    "keyspace": (
        "tests/unit/keyspace",
        "tests/property/test_tuples.py",
        "tests/property/test_keyspace.py",
        "tests/unit/store",
    ),
    "knowledge": (
        "tests/unit/knowledge",
        "tests/integration/test_async_store.py",
        "tests/integration/test_threads.py",
        "tests/e2e/test_cli_commands.py",
        "tests/integration/test_signing.py",
        "tests/integration/client",
        "tests/e2e/test_store_cli.py",
    ),
    "knowledge/archive": (
        "tests/unit/knowledge",
        "tests/integration/test_archive.py",
        "tests/integration/test_archive_damage.py",
        "tests/integration/test_evolution.py",
        "tests/integration/test_upgrade.py",
        "tests/integration/test_golden.py",
        "tests/integration/test_archive_crash.py",
        "tests/e2e/test_cli_archive.py",
    ),
    "knowledge/building": (
        "tests/unit/knowledge",
        *_BUILDS,
        "tests/integration/test_build_stepwise.py",
        "tests/integration/test_hierarchy.py",
        "tests/integration/test_shares.py",
        "tests/property/test_changed_corpora.py",
        "tests/integration/test_build_concurrent.py",
        "tests/integration/test_verify_review.py",
    ),
    "knowledge/calibration": (
        "tests/unit/knowledge",
        "tests/integration/test_calibration.py",
        "tests/e2e/test_calibrate_cli.py",
    ),
    "knowledge/derivation": (
        "tests/unit/knowledge",
        *_BUILDS,
        "tests/integration/test_build_hostile.py",
        "tests/integration/test_decisions.py",
        "tests/integration/test_ray.py",
    ),
    "knowledge/ingest": (
        "tests/unit/knowledge",
        "tests/integration/test_ingest_files.py",
        "tests/integration/test_ingest_copies.py",
        "tests/integration/test_manifest.py",
        "tests/integration/test_ingest_workers.py",
        "tests/e2e/test_cli_commands.py",
    ),
    "knowledge/model_roles": ("tests/unit/knowledge", "tests/integration/test_agents_build.py"),
    "knowledge/query": (
        "tests/unit/knowledge",
        "tests/integration/test_search.py",
        "tests/integration/test_hierarchy.py",
        "tests/integration/test_routing.py",
        "tests/integration/test_decisions.py",
        "tests/integration/test_retrieval_settings.py",
        "tests/integration/test_named_provisions.py",
        "tests/integration/explorer/test_page_pictures.py",
        "tests/property/test_index_answers.py",
    ),
    "knowledge/report": (
        "tests/unit/knowledge",
        "tests/integration/test_report.py",
        "tests/integration/test_decisions.py",
        "tests/integration/test_manifest.py",
        "tests/unit/registers",
        "tests/integration/test_registers.py",
        "tests/integration/test_audit.py",
    ),
    "knowledge/review": (
        "tests/unit/knowledge",
        "tests/integration/test_verify_review.py",
        "tests/integration/test_verify_replay.py",
        "tests/integration/test_verify_text.py",
        "tests/integration/test_decisions.py",
    ),
    "language": (
        _SENTENCES,
        _READINGS,
        "tests/unit/language",
        "tests/unit/tiers",
        _PINS,
        "tests/unit/documents/profile",
    ),
    "language/reading": (
        _SENTENCES,
        _JUDGEMENTS,
        "tests/unit/language/reading",
        "tests/unit/verify",
        "tests/unit/tiers",
    ),
    "models": (
        "tests/unit/models",
        "tests/integration/test_flag_models.py",
        "tests/integration/test_verify_entailment.py",
        "tests/integration/test_retrieval_settings.py",
        "tests/unit/retrieve/gate",
    ),
    "models/claude": ("tests/unit/models/claude", "tests/unit/agents/asking"),
    "reports": (
        "tests/unit/reports",
        "tests/integration/test_report.py",
        "tests/e2e/test_verify_cli.py",
        "tests/e2e/test_gateway.py",
        "tests/unit/registers",
        "tests/e2e/test_questionnaire_cli.py",
        "tests/e2e/test_calibrate_cli.py",
        "tests/e2e/test_changes_cli.py",
        "tests/integration/test_audit.py",
    ),
    "reports/registers": (
        "tests/unit/registers",
        "tests/e2e/test_registers_cli.py",
        "tests/integration/crosswalk",
        "tests/integration/test_registers.py",
    ),
    "retrieve": (
        "tests/unit/retrieve",
        "tests/integration/test_search.py",
        "tests/integration/test_routing.py",
        "tests/integration/test_hierarchy.py",
        "tests/integration/test_retrieval_settings.py",
        "tests/integration/test_named_provisions.py",
    ),
    "retrieve/qdrant": ("tests/unit/retrieve/qdrant", "tests/integration/test_qdrant.py"),
    "schemas": (
        "tests/unit/schemas",
        "tests/unit/api",
        "tests/unit/store",
        "tests/integration/test_validate.py",
        "tests/integration/test_evolution.py",
        "tests/integration/test_golden.py",
        "tests/unit/tiers",
    ),
    "store": (
        "tests/unit/store",
        "tests/unit/keyspace",
        "tests/property/test_keyspace.py",
        "tests/integration/test_fdb_bulk.py::test_writers_of_the_same_items_do_not_conflict",
        "tests/integration/test_build_generations.py",
        "tests/integration/test_validate.py",
        "tests/integration/test_evolution.py",
        "tests/integration/test_sweep.py",
        "tests/integration/test_indexes.py",
        "tests/integration/test_upgrade.py",
        "tests/integration/test_erasure.py",
        "tests/property/test_sweep.py",
    ),
    "store/indexes": (
        "tests/unit/store",
        "tests/integration/test_indexes.py",
        "tests/integration/test_evolution.py",
        "tests/property/test_index_answers.py",
    ),
    "tiers": (
        _READINGS,
        "tests/unit/tiers",
        _PINS,
        "tests/integration/test_planted.py",
        "tests/integration/test_invisible_words.py",
        "tests/integration/test_manifest.py",
        "tests/integration/test_shares.py",
        "tests/integration/test_verify_replay.py",
    ),
    "tiers/decisions": ("tests/unit/tiers", "tests/integration/test_decisions.py", "tests/property/test_decisions.py"),
    "transparency": (
        "tests/unit/transparency",
        "tests/integration/test_log.py",
        "tests/integration/test_kept_tiles.py",
        "tests/integration/test_signing.py",
        "tests/integration/insiders",
        "tests/e2e/test_proof_cli.py",
        "verifier/verifier_tests",
    ),
    "verify": (
        _JUDGEMENTS,
        "tests/unit/verify",
        "tests/integration/test_verify_text.py",
        "tests/integration/test_claims_attacked.py",
        "tests/integration/test_verify_entailment.py",
        "tests/integration/test_verify_replay.py",
    ),
    "integrity/logged": (
        "tests/unit/integrity",
        "tests/integration/insiders",
        "tests/integration/test_log.py",
        "tests/integration/test_erasure.py",
        "tests/integration/test_signing.py",
    ),
    "integrity/signing": (
        "tests/unit/integrity",
        "tests/integration/test_signing.py",
        "tests/integration/insiders",
        "tests/e2e/test_proof_cli.py",
    ),
    "integrity/rows": (
        "tests/unit/integrity",
        "tests/integration/test_validate.py",
        "tests/integration/insiders",
        "tests/property/test_tamper.py",
        "tests/integration/test_indexes.py",
    ),
    "knowledge/erasure": (
        "tests/unit/knowledge",
        "tests/integration/test_erasure.py",
        "tests/integration/test_erased_elsewhere.py",
        "tests/e2e/test_erasure_cli.py",
    ),
    "knowledge/labour": (
        "tests/unit/knowledge",
        "tests/integration/test_build_hostile.py",
        "tests/integration/test_ingest_workers.py",
    ),
    "knowledge/report/audit": (
        "tests/integration/test_audit.py",
        "tests/e2e/test_audit_cli.py",
    ),
    "knowledge/report/bundles": (
        "verifier/verifier_tests",
        "tests/e2e/test_proof_cli.py",
        "tests/integration/insiders",
    ),
    "knowledge/report/changes": (
        "tests/unit/tiers/changes",
        "tests/integration/test_changes.py",
        "tests/e2e/test_changes_cli.py",
    ),
    "knowledge/report/crosswalk": (
        "tests/unit/knowledge/test_nearness.py",
        "tests/integration/crosswalk",
        "tests/unit/verify/test_requirements.py",
    ),
    "knowledge/report/questionnaires": (
        "tests/unit/reports/test_questionnaires.py",
        "tests/e2e/test_questionnaire_cli.py",
    ),
    "tiers/changes": (
        "tests/unit/tiers/changes",
        "tests/unit/tiers/test_pinned_changes.py",
        "tests/integration/test_changes.py",
        "tests/e2e/test_changes_cli.py",
    ),
    "tiers/shares": (
        "tests/unit/tiers/shares",
        "tests/integration/test_shares.py",
        "tests/property/test_changed_corpora.py",
    ),
    "verify/requirements": (
        "tests/unit/verify/test_requirements.py",
        "tests/unit/verify",
        "tests/integration/crosswalk",
    ),
    "assistants": (
        "tests/unit/assistants",
        "tests/integration/assistants",
    ),
    "client": (
        "tests/unit/client",
        "tests/integration/client",
    ),
    "server": (
        "tests/unit/server",
        "tests/integration/server",
        "tests/integration/client",
    ),
    "server/explorer": (
        "tests/unit/server",
        "tests/integration/explorer/test_pages.py",
        "tests/integration/explorer/test_page_pictures.py",
        "tests/integration/explorer/test_browser.py",
    ),
    "verifier": ("verifier/verifier_tests", "tests/unit/transparency/test_timestamps.py"),
    "benchmarks": ("benchmarks/benchmark_tests",),
}
"""The tests of each room, the quick ones first; of a room inside another its own."""


def innermost(path: str) -> str:
    """The innermost room with tests of its own that holds a module, whose path is relative to the checkout."""
    parts = PurePosixPath(path).parts
    if parts[0] in _BESIDE:
        return parts[0]
    inner = ("/".join(parts[1:end]) for end in range(len(parts) - 1, 1, -1))
    return next((room for room in inner if room in TESTS), parts[1])


def outermost() -> list[str]:
    """The rooms that mutations are spread over."""
    return sorted(room for room in TESTS if "/" not in room)


def folder(room: str) -> str:
    """Where the modules of an outermost room are, relative to the checkout."""
    return f"{room}/{_BESIDE[room]}" if room in _BESIDE else f"coditect/{room}"
