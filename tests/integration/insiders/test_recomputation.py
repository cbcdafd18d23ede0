"""Who can write the store, and what finds them: commitments where hashes stop half-way, recomputation where none does.

What neither finds (rows whose removal leaves a state that could have been built: failures, withdrawn documents, whole generations)
is for the log's checkpoints.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from coditect.documents.limits import MOST_EXTRACTIONS
from coditect.documents.sandbox.budget import ReadBudget
from coditect.integrity.validate import validate
from coditect.knowledge.building.recomputation import Recomputation, RecomputationForecast, recompute
from coditect.knowledge.building.vectors import recompute_vectors
from coditect.models.port import Embedder, ModelSources
from coditect.models.wordllama.embedder import WordLlamaTokenizer
from coditect.retrieve.embedding import UnitVectors
from coditect.schemas import Derivation, Manifest
from coditect.store.store import Store
from coditect.store.view import open_view
from coditect.testing.embedder.hashing import HashingEmbedder
from coditect.testing.embedder.reading import ReadingHashingEmbedder
from tests.corpora import CORPUS, build_all, folder_of, ingest_all, review_all
from tests.integration.insiders import insider as attacks
from tests.integration.insiders.derived import blocks, changed_rows, put_block
from tests.integration.insiders.insider import Insider
from tests.integration.insiders.lived import embed, embedder

Attack = Callable[[Insider], None]

ATTACKS: tuple[Attack, ...] = (
    attacks.obligation_becomes_a_fragment,
    attacks.selected_sentence_is_dropped,
    attacks.passage_is_dropped,
)


def _deep(store: Store) -> Recomputation:
    told: list[RecomputationForecast] = []
    found = recompute(
        store,
        CORPUS,
        models=ModelSources(tokenizer=WordLlamaTokenizer),
        budget=ReadBudget(),
        document_extractions=MOST_EXTRACTIONS,
        progress=lambda stage, done, total: None,
        announce=told.append,
        jobs=1,
    )
    assert told[0].documents > 0
    assert told[0].characters > 0
    return found


@pytest.mark.parametrize("attack", ATTACKS)
def test_change_below_the_manifest_leaves_no_build_id_standing(built: Store, attack: Attack) -> None:
    """An insider who stops at the derivation keeps the build id, and is found: its tree commits to other outputs."""
    before = built.corpus(CORPUS).build_id
    attack(Insider(built, CORPUS))
    assert built.corpus(CORPUS).build_id == before
    found = validate(built, CORPUS).findings
    assert any(each.check == "hash" and "commits to" in each.message for each in found), found


@pytest.mark.parametrize("attack", ATTACKS)
def test_change_that_is_published_has_another_build_id_and_is_computed_away(built: Store, attack: Attack) -> None:
    """With every hash computed again the store agrees with itself, under another build id; recomputation finds it."""
    own = Insider(built, CORPUS)
    before = own.view.manifest
    attack(own)
    own.publish(counts=_counted(own))
    assert built.corpus(CORPUS).build_id != before.build_id
    assert not [each for each in validate(built, CORPUS).findings if "commits to" in each.message]
    assert [each.check for each in _deep(built).findings][:1] == ["recomputed"]


def _counted(own: Insider) -> dict[str, int]:
    view = own.view
    steps = own.store.derivations(CORPUS, [step for entry in view.entries.values() for step in entry.steps])
    counts = dict(view.manifest.counts)
    for stage in ("extractions", "chunks", "passages"):
        counts[stage] = sum(len(step.outputs) for step in steps.values() if step.stage == stage)
    return counts


def test_outputs_that_a_derivation_does_not_commit_to_are_found(built: Store) -> None:
    """Other items under the old commitment: the derivation itself says that these are not what it gave."""
    own = Insider(built, CORPUS)
    view = own.view
    document_id = next(iter(view.entries))
    found = list(view.extractions(document_id))
    own.give(found[0].derivation_id, found[:-1], committed=False)
    messages = [each.message for each in validate(built, CORPUS).findings]
    assert "its outputs are not those that it commits to" in messages


def test_settings_counts_and_what_was_left_out_are_in_the_build_id(built: Store) -> None:
    """A lower minimum of support, or a failure that was never told, is another build."""
    own = Insider(built, CORPUS)
    held = own.view.manifest
    assert held.left_out is not None
    fields = {name: getattr(held, name) for name in Manifest.model_fields if name != "build_id"}
    changed = (
        {"settings": held.settings.model_copy(update={"minimum_support": 0.1})},
        {"left_out": held.left_out.model_copy(update={"failed": 1})},
        {"left_out": held.left_out.model_copy(update={"sha256": "0" * 64})},
        {"derivations_sha256": "0" * 64},
    )
    ids = {Manifest.create(**{**fields, **each}).build_id for each in changed}
    assert len(ids | {held.build_id}) == len(changed) + 1


def test_left_out_tells_failures_and_repeated_bytes(memory: Store, tmp_path: Path) -> None:
    """What the corpus has and the generation has not is counted and committed to."""
    text = "# Rules\n\nManagers shall review access rights every 90 days.\n"
    ingest_all(memory, folder_of(tmp_path, {"a.md": text, "b.md": text, "broken.pdf": "no PDF"}))
    build_all(memory)
    left_out = Insider(memory, CORPUS).view.manifest.left_out
    assert left_out is not None
    assert left_out.failed == 1


def test_forged_text_under_the_genuine_file_is_found_by_reading_again(memory: Store, documents: Path) -> None:
    """The whole corpus is built honestly from a forged text; its file says something else."""
    ingest_all(memory, documents)
    attacks_before = build_all(memory)
    attacks.text_is_forged(Insider(memory, CORPUS))
    assert build_all(memory).build_id != attacks_before.build_id
    assert validate(memory, CORPUS).clean
    findings = _deep(memory).findings
    assert any("read again, its file gives another text_sha256" in each.message for each in findings), findings


def test_honest_corpora_come_out_as_they_are_stored(built: Store) -> None:
    """Built with defaults: nothing is found, nothing skipped."""
    assert _deep(built) == Recomputation()


def test_honest_corpus_with_reviews_comes_out_as_it_is_stored(built: Store) -> None:
    """Decisions that were in force at the build are those that are used again, not those of later days."""
    review_all(built)
    build_all(built)
    assert _deep(built).findings == []


def test_earlier_generation_comes_out_after_later_ones(built: Store, tmp_path: Path) -> None:
    """Each generation is computed from the files that it took in."""
    ingest_all(built, folder_of(tmp_path, {"new.md": "# Desk\n\nEmployees shall lock papers away each day.\n"}))
    build_all(built)
    assert _deep(built).findings == []
    found = recompute(
        built,
        CORPUS,
        models=ModelSources(tokenizer=WordLlamaTokenizer),
        budget=ReadBudget(),
        document_extractions=MOST_EXTRACTIONS,
        progress=lambda stage, done, total: None,
        announce=lambda expected: None,
        as_of=1,
        jobs=1,
    )
    assert found.findings == []


# vectors


def _vectors(store: Store) -> Recomputation:
    found = Recomputation()
    recompute_vectors(open_view(store, CORPUS), embedder, found.say, found.skipped.append, lambda *_: None)
    return found


def test_stored_vectors_come_out_as_the_model_gives_them(built: Store) -> None:
    """Of every granularity; rounding is no difference, another direction is, by the unit that it is of."""
    embed(built)
    assert _vectors(built) == Recomputation()
    step, block = blocks(built)[0]
    put_block(built, step, changed_rows(block, lambda rows: np.multiply(rows, 1.004, out=rows)))
    assert _vectors(built) == Recomputation()
    put_block(built, step, changed_rows(block, lambda rows: np.negative(rows[-1], out=rows[-1])))
    (finding,) = _vectors(built).findings
    assert finding.record == f"derivations/{CORPUS}/{step.derivation_id}"
    assert "1 of its" in finding.message
    assert "vectors are others, the first is that of" in finding.message


def test_block_that_is_no_block_is_said_where_vectors_are_made_again(built: Store) -> None:
    """Cut, or of other items; the others are compared all the same."""
    embed(built)
    (cut, one), (moved, two) = [each for each in blocks(built) if int.from_bytes(each[1][:4], "little") > 1][:2]
    put_block(built, cut, one[:-1])
    put_block(built, moved, _without_first(two))
    assert sorted(each.message.partition(":")[0] for each in _vectors(built).findings) == [
        "its vectors cannot be read",
        "made again, its vectors are of other items",
    ]


def _without_first(block: bytes) -> bytes:
    count, width = (int.from_bytes(block[begin : begin + 4], "little") for begin in (0, 4))
    assert count > 1
    head = (count - 1).to_bytes(4, "little") + block[4:8]
    return head + block[12 : 8 + 4 * count] + block[8 + 4 * count + 2 * width :]


@pytest.mark.parametrize(
    ("opened", "said"),
    [
        (None, "the model hashing@000000000000 made them, and none is configured."),
        (lambda: None, "the model hashing@000000000000 made them, and none is configured."),
        (lambda: HashingEmbedder(8, "other@1"), "made them, and the configured one is other@1."),
    ],
)
def test_vectors_of_another_model_are_said_not_to_have_been_made_again(
    built: Store, opened: Callable[[], Embedder | None] | None, said: str
) -> None:
    """By model and recipe, with the reason; nothing is found of them."""
    embed(built)
    found = Recomputation()
    recompute_vectors(open_view(built, CORPUS), opened, found.say, found.skipped.append, lambda *_: None)
    assert found.findings == []
    assert len(found.skipped) == 4
    assert all(said in each for each in found.skipped)


def test_vectors_of_text_that_this_release_does_not_embed_are_said_not_to_have_been_made_again(built: Store) -> None:
    """As of a former release, or of another level of passages that the recipe names, which this one can make."""
    embed(built)
    step, _ = blocks(built)[0]
    former = {**step.parameters, "recipe": "units/0-extraction"}
    made = Derivation.create(CORPUS, "vectors", step.inputs, step.method, former, step.code_version, step.outputs)
    built.put_derivations([made])
    assert _vectors(built).skipped == [
        "1 blocks of vectors (units/0-extraction): this release makes them of other text."
    ]


def _reading(store: Store, reader: ReadingHashingEmbedder) -> Recomputation:
    found = Recomputation()
    recompute_vectors(open_view(store, CORPUS), lambda: reader, found.say, found.skipped.append, lambda *_: None)
    return found


def test_stored_tokens_come_out_as_the_model_reads_them(built: Store) -> None:
    """Another token, or a vector of one that points elsewhere, is found by the item that it is of; so is a block that is cut."""
    reader = ReadingHashingEmbedder(8)
    view = open_view(built, CORPUS)
    for _ in UnitVectors(built, 1, reader, reads=True).of_documents(view, list(view.entries)):
        pass
    assert _reading(built, reader) == Recomputation()
    step, block = next((step, block) for step, block in blocks(built) if "-tokens-" in str(step.parameters["recipe"]))
    put_block(built, step, block[:-1] + bytes([block[-1] ^ 0xFF]))
    (finding,) = _reading(built, reader).findings
    assert finding.record == f"derivations/{CORPUS}/{step.derivation_id}"
    assert "made again, the tokens of 1 of its items are others, the first is passage_" in finding.message
    put_block(built, step, block[:-1])
    (finding,) = _reading(built, reader).findings
    assert "its tokens cannot be read" in finding.message
    other = ReadingHashingEmbedder(8)
    other.reading = "hashing2"
    assert any(
        "-tokens-hashing1): this release makes them of other text" in each for each in _reading(built, other).skipped
    )


def test_deep_validation_without_vectors_opens_no_model(built: Store) -> None:
    """A store that nobody searched by meaning."""

    def opened() -> Embedder:
        raise AssertionError("opened")

    found = Recomputation()
    recompute_vectors(open_view(built, CORPUS), opened, found.say, found.skipped.append, lambda *_: None)
    assert found == Recomputation()
