"""Which tests answer for which room of the product."""

from __future__ import annotations

from pathlib import PurePosixPath

__all__ = ["TESTS", "innermost", "outermost"]

_PINS = "tests/integration/test_pinned_derivations.py"
_READINGS = "tests/unit/tiers/test_pinned_readings.py"
_JUDGEMENTS = "tests/unit/verify/test_pinned_judgements.py"
_BUILDS = (_PINS, "tests/integration/test_build_incremental.py", "tests/integration/test_build_generations.py")
TESTS: dict[str, tuple[str, ...]] = {
    "agents": (
        "tests/unit/agents",
        "tests/unit/models/claude/test_roles.py",
        "tests/integration/test_agents_build.py",
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
    ),
    "documents": (
        "tests/unit/documents/test_pinned_structures.py",
        "tests/unit/documents",
        _READINGS,
        _PINS,
        "tests/integration/test_ingest_files.py",
        "tests/integration/test_hierarchy.py",
        "tests/hostile",
    ),
    "documents/profile": (
        "tests/unit/documents/profile",
        "tests/unit/tiers",
        _PINS,
        "tests/integration/test_manifest.py",
    ),
    "engine": ("tests/unit/engine", "tests/contract", "tests/integration/test_lmdb_processes.py"),
    "engine/foundationdb": (
        "tests/contract/test_engine_foundationdb.py",
        "tests/contract/test_fake_fdb.py",
        "tests/integration/test_fdb_bulk.py",
        "tests/integration/test_fdb_faults.py",
    ),
    "integrity": (
        "tests/unit/integrity",
        "tests/integration/test_validate.py",
        "tests/integration/test_decisions.py",
        "tests/integration/test_report.py",
        "tests/integration/test_indexes.py",
        "tests/property/test_tamper.py",
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
    ),
    "knowledge/archive": (
        "tests/unit/knowledge",
        "tests/integration/test_archive.py",
        "tests/integration/test_archive_damage.py",
        "tests/integration/test_evolution.py",
    ),
    "knowledge/building": (
        "tests/unit/knowledge",
        *_BUILDS,
        "tests/integration/test_build_stepwise.py",
        "tests/integration/test_hierarchy.py",
    ),
    "knowledge/calibration": ("tests/unit/knowledge", "tests/integration/test_calibration.py"),
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
    ),
    "knowledge/model_roles": ("tests/unit/knowledge", "tests/integration/test_agents_build.py"),
    "knowledge/query": (
        "tests/unit/knowledge",
        "tests/integration/test_search.py",
        "tests/integration/test_hierarchy.py",
        "tests/integration/test_routing.py",
        "tests/integration/test_decisions.py",
        "tests/integration/test_retrieval_settings.py",
    ),
    "knowledge/report": (
        "tests/unit/knowledge",
        "tests/integration/test_report.py",
        "tests/integration/test_decisions.py",
        "tests/integration/test_manifest.py",
        "tests/unit/registers",
        "tests/integration/test_registers.py",
    ),
    "knowledge/review": (
        "tests/unit/knowledge",
        "tests/integration/test_verify_review.py",
        "tests/integration/test_verify_replay.py",
        "tests/integration/test_verify_text.py",
        "tests/integration/test_decisions.py",
    ),
    "language": (_READINGS, "tests/unit/language", "tests/unit/tiers", _PINS, "tests/unit/documents/profile"),
    "language/reading": (_JUDGEMENTS, "tests/unit/language/reading", "tests/unit/verify", "tests/unit/tiers"),
    "models": (
        "tests/unit/models",
        "tests/integration/test_flag_models.py",
        "tests/integration/test_verify_entailment.py",
        "tests/integration/test_retrieval_settings.py",
    ),
    "models/claude": ("tests/unit/models/claude", "tests/unit/agents/asking"),
    "reports": (
        "tests/unit/reports",
        "tests/integration/test_report.py",
        "tests/e2e/test_verify_cli.py",
        "tests/e2e/test_gateway.py",
    ),
    "reports/registers": ("tests/unit/registers", "tests/e2e/test_registers_cli.py"),
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
    ),
    "store": (
        "tests/unit/store",
        "tests/unit/keyspace",
        "tests/property/test_keyspace.py",
        "tests/integration/test_build_generations.py",
        "tests/integration/test_validate.py",
        "tests/integration/test_evolution.py",
        "tests/integration/test_sweep.py",
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
    ),
    "tiers/decisions": ("tests/unit/tiers", "tests/integration/test_decisions.py", "tests/property/test_decisions.py"),
    "transparency": ("tests/unit/transparency", "tests/integration/test_log.py"),
    "verify": (
        _JUDGEMENTS,
        "tests/unit/verify",
        "tests/integration/test_verify_text.py",
        "tests/integration/test_claims_attacked.py",
        "tests/integration/test_verify_entailment.py",
    ),
}
"""The tests of each room, the quick ones first; of a room inside another its own."""


def innermost(path: str) -> str:
    """The innermost room with tests of its own that holds a module, whose path is relative to the checkout."""
    parts = PurePosixPath(path).parts[1:]
    inner = "/".join(parts[:2])
    return inner if inner in TESTS else parts[0]


def outermost() -> list[str]:
    """The rooms that mutations are spread over."""
    return sorted(room for room in TESTS if "/" not in room)
