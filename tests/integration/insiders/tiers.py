"""Attacks on what a generation is made of: documents, readings, selections, sections, claims, verdicts, settings."""

from __future__ import annotations

from typing import Any

from coditect.schemas import (
    Chunk,
    CorpusSummary,
    DocumentVersion,
    Extraction,
    Intake,
    Item,
    Passage,
    Profile,
    Section,
    Verdict,
    document_id_for,
)
from coditect.schemas.record import TAG_DIGITS
from tests.integration.insiders.hands import Hands
from tests.integration.insiders.lived import CORPUS

ACCESS, INCIDENT = document_id_for(CORPUS, "access.md"), document_id_for(CORPUS, "incident.md")


def _kinds(hands: Hands, kind: str) -> list[Extraction]:
    """The extractions of a kind in the current generation."""
    view = hands.view
    return [e for each in view.entries for e in view.extractions(each) if e.extraction_kind == kind]


def _data(item: Extraction, **changes: Any) -> Any:  # noqa: ANN401 - typed data
    return item.tier1_data.model_copy(update=changes)


def obligation_becomes_a_harmless_fragment(hands: Hands) -> None:
    """ "must disable the account" is stored as its first words."""
    duty = _kinds(hands, "obligation")[0]
    short = hands.forged(
        duty, source_text=duty.source_text[:8], char_offset_end=duty.char_offset_start + 8, standalone=None
    )
    hands.climb({duty.extraction_id: short})


def definition_means_something_else(hands: Hands) -> None:
    """What a term means, as it was read."""
    found = _kinds(hands, "definition")[0]
    field = next(each for each in type(found.tier1_data).model_fields if "mean" in each or "definition" in each)
    hands.climb({found.extraction_id: hands.forged(found, tier1_data=_data(found, **{field: "nothing at all"}))})


def reading_of_a_duty_is_falsified(hands: Hands) -> None:
    """Somebody else must do it."""
    found = next(e for e in _kinds(hands, "obligation") if getattr(e.tier1_data, "actor", None))
    hands.climb({found.extraction_id: hands.forged(found, tier1_data=_data(found, actor="the supplier"))})


def standalone_statement_is_falsified(hands: Hands) -> None:
    """How a statement reads on its own says what the document does not."""
    view = hands.view
    every = (e for each in view.entries for e in view.extractions(each))
    found = next((e for e in every if e.standalone is not None), None)
    if found is None:
        from coditect.schemas import Standalone

        found = _kinds(hands, "obligation")[0]
        other = Standalone(text="Nobody must do anything.", resolutions=())
    else:
        assert found.standalone is not None
        other = found.standalone.model_copy(update={"text": "Nobody must do anything."})
    hands.climb({found.extraction_id: hands.forged(found, standalone=other)})


def confidence_is_raised(hands: Hands) -> None:
    """A doubtful extraction is a sure one."""
    found = _kinds(hands, "obligation")[0]
    hands.climb({found.extraction_id: hands.forged(found, confidence=1.0 if found.confidence < 1 else 0.99)})


def extraction_is_deleted(hands: Hands) -> None:
    """A duty that no section cites is not there."""
    view = hands.view
    cited = {e for c in hands.rows("chunks", Chunk) for e in c.source_extractions}
    cited |= {
        e for s in hands.rows("sections", Section) for p in s.content if p.citation for e in p.citation.extraction_ids
    }
    every = [e for each in view.entries for e in view.extractions(each)]
    found = next((each for each in every if each.extraction_id not in cited), every[-1])
    hands.climb({found.extraction_id: None})


def extraction_is_inserted(hands: Hands) -> None:
    """A second obligation is read from the same words."""
    duty = _kinds(hands, "obligation")[0]
    hands.climb({}, {duty.derivation_id: [hands.forged(duty, locator="99.9")]})


def extractions_are_reordered(hands: Hands) -> None:
    """The outputs of a step stand in another order."""
    duty = _kinds(hands, "obligation")[0]
    step = hands.store.derivations(CORPUS, [duty.derivation_id])[duty.derivation_id]
    hands.store.put_derivations([step.model_copy(update={"outputs": step.outputs[::-1]})])
    hands.climb({})


def readings_are_swapped(hands: Hands) -> None:
    """Two duties change what was read from them."""
    one, two = _kinds(hands, "obligation")[:2]
    hands.climb(
        {
            one.extraction_id: hands.forged(one, tier1_data=two.tier1_data),
            two.extraction_id: hands.forged(two, tier1_data=one.tier1_data),
        }
    )


def outputs_are_changed_under_the_same_build_id(hands: Hands) -> None:
    """An insider who stops at the derivation."""
    duty = _kinds(hands, "obligation")[0]
    hands.climb({duty.extraction_id: hands.forged(duty, confidence=0.5)}, upto=lambda each: None)


def _version(hands: Hands, document_id: str, **changes: Any) -> DocumentVersion:  # noqa: ANN401 - fields of a version
    """A changed version of a document in the place of the current one, with its intake."""
    version = hands.view.document(document_id)
    other = hands.forged(version, **changes)
    hands.write(other)
    intake = hands.store.get("intake", Intake, CORPUS, document_id)
    assert intake is not None
    hands.write(intake.model_copy(update={"version_id": other.version_id, "raw_sha256": other.raw_sha256}))
    return other


def text_is_forged_under_the_genuine_file(hands: Hands) -> None:
    """The canonical text says 96 hours where the file says 24, and the honest build takes it up."""
    text = hands.view.text_of(hands.view.document(ACCESS)).replace("24 hours", "96 hours").encode()
    digest = hands.store.put_blob(CORPUS, text)
    _version(hands, ACCESS, text_sha256=digest, text_bytes=len(text))
    rebuild(hands)


def file_is_replaced(hands: Hands) -> None:
    """Another file under the name and the time of the genuine one, taken in as the program does."""
    raw = b"# Access Control Policy\n\nNobody must do anything.\n"
    digest = hands.store.put_blob(CORPUS, raw)
    _version(
        hands,
        ACCESS,
        raw_sha256=digest,
        raw_bytes=len(raw),
        text_sha256=digest,
        text_bytes=len(raw),
        text_length=len(raw),
    )


def rebuild(hands: Hands) -> None:
    """The honest program builds upon what was planted, and says so in the log."""
    from coditect.knowledge.building.pipeline import build
    from tests.corpora import MODELS, SETTINGS

    build(hands.store, CORPUS, SETTINGS, clock=lambda: "2026-01-09T00:00:00Z", jobs=1, models=MODELS)


def pending_document_is_derived_to_nothing(hands: Hands) -> None:
    """Empty steps are planted for a document that waits, so that the honest build publishes it without content."""
    before = hands.lived.copy()
    honest = Hands(hands.lived)
    rebuild(honest)
    late = document_id_for(CORPUS, "late.md")
    entry = honest.view.entries[late]
    assert late not in Hands(hands.lived).view.entries
    for step in honest.store.derivations(CORPUS, list(entry.steps)).values():
        if step.stage in ("extractions", "chunks"):
            hands.store.put_derivations([step.giving([])])
    assert before.corpus(CORPUS).generation == hands.store.corpus(CORPUS).generation
    rebuild(hands)


def selected_sentence_is_dropped(hands: Hands) -> None:
    """Tier 2 of a document loses a sentence that no section quotes, or its last one."""
    chunk = next(each for each in hands.view.chunks(ACCESS) if len(each.selected_sentences) > 1)
    hands.climb({chunk.chunk_id: hands.forged(chunk, selected_sentences=chunk.selected_sentences[:-1])})


def chunk_is_deleted(hands: Hands) -> None:
    """Tier 2 of a document loses a chunk."""
    view = hands.view
    cited = {p.citation.chunk_id for s in hands.rows("sections", Section) for p in s.content if p.citation}
    every = [c for each in view.entries for c in view.chunks(each)]
    chunk = next((c for c in every if c.chunk_id not in cited), every[-1])
    hands.climb({chunk.chunk_id: None})


def sentences_are_reordered(hands: Hands) -> None:
    """The sentences of a chunk stand in another order."""
    chunk = next(each for each in hands.view.chunks(ACCESS) if len(each.selected_sentences) > 1)
    hands.climb({chunk.chunk_id: hands.forged(chunk, selected_sentences=chunk.selected_sentences[::-1])})


def passage_is_deleted(hands: Hands) -> None:
    """A passage is not found any more by whoever searches."""
    every: list[Passage] = list(hands.view.passages(ACCESS))
    hands.climb({every[-1].passage_id: None})


def profile_is_forged(hands: Hands) -> None:
    """A policy is a draft of somebody else."""
    profile: Profile = hands.view.profiles[ACCESS]
    assert profile.role is not None
    hands.climb({profile.item_id: hands.forged(profile, role=profile.role.model_copy(update={"value": "draft"}))})


def document_is_left_out_of_the_generation(hands: Hands) -> None:
    """A tree without one of its entries."""
    _entries(hands, lambda entries: entries[1:], len)


def derivations_of_two_documents_are_swapped(hands: Hands) -> None:
    """Each stands for what the other says."""
    view = hands.view
    one, two = (next(each for each in tree.entries) for tree in _trees(hands, view.manifest)[:2])
    names = ("extractions", "chunks", "passages", "profile")
    for mine, other in ((one, two), (two, one)):
        fresh = mine.model_copy(update={each: getattr(other, each) for each in names})
        _entries(
            hands,
            lambda entries, fresh=fresh: [fresh],
            lambda entries, mine=mine: entries[0].document_id == mine.document_id,
        )


def _trees(hands: Hands, manifest: Any) -> list[Any]:  # noqa: ANN401 - trees of a manifest
    from coditect.schemas import Tree

    found = (hands.store.get("trees", Tree, CORPUS, each) for each in manifest.trees.values())
    return [each for each in found if each is not None]


def _entries(hands: Hands, change: Any, wanted: Any) -> None:  # noqa: ANN401 - functions over entries
    from coditect.schemas import Tree

    trees = [(shard, hands.store.get("trees", Tree, CORPUS, each)) for shard, each in hands.view.manifest.trees.items()]
    shard, tree = next((s, t) for s, t in trees if t is not None and wanted(t.entries))
    assert tree is not None
    other = hands.forged(tree, entries=tuple(change(list(tree.entries))))
    hands.write(other)
    manifest = hands.view.manifest
    fields = {"trees": {**manifest.trees, shard: other.tree_id}}
    if not other.entries:
        fields = {"trees": {s: t for s, t in manifest.trees.items() if s != shard}}
    fresh = hands.forged(manifest, **fields)
    hands.drop(manifest)
    hands.write(fresh)
    _point(hands, fresh.build_id)
    hands.climb({})


def _point(hands: Hands, build_id: str) -> None:
    """Let generation and corpus name another build."""
    from coditect.schemas import Generation

    corpus = hands.store.corpus(CORPUS)
    generation = hands.first("generations", Generation, generation=corpus.generation)
    hands._tell_feed({generation.build_id: build_id})
    hands.write(generation.model_copy(update={"build_id": build_id}))
    hands.write(corpus.model_copy(update={"build_id": build_id}))


def section_is_renamed(hands: Hands) -> None:
    """A section on differing deadlines is one on agreeing ones."""
    section = hands.view.sections[0]
    hands.climb({section.section_id: hands.forged(section, topic="deadlines that agree")})


def quote_is_dropped_from_a_section(hands: Hands) -> None:
    """A section is one quote shorter."""
    section = hands.view.sections[0]
    hands.climb({section.section_id: hands.forged(section, content=section.content[:-1])})


def quotes_are_reordered(hands: Hands) -> None:
    """Claims cite quotes by their number in a section: the numbers mean others."""
    section = hands.view.sections[0]
    hands.climb({section.section_id: hands.forged(section, content=section.content[::-1])})


def section_is_deleted(hands: Hands) -> None:
    """A topic is not told of."""
    cited = {s.section_id for c in hands.view.claims.values() for s in c.citations}
    view = hands.view
    section = next((each for each in view.sections if each.section_id not in cited), view.sections[-1])
    hands.climb({section.section_id: None})


def sections_are_reordered(hands: Hands) -> None:
    """The report tells of topics in another order."""
    manifest = hands.view.manifest
    steps = manifest.sections[::-1]
    from coditect.schemas import commitment_to

    ids = [*(step for step, _ in steps), manifest.summary_derivation]
    found = hands.store.derivations(CORPUS, ids)
    hands.climb({}, sections=steps, derivations_sha256=commitment_to(found[each].commitment for each in ids))


def _tier4(hands: Hands, edits: dict[str, Item | None], added: list[Item], **summary: Any) -> None:  # noqa: ANN401 - fields
    """Claims and verdicts are named by the summary alone."""
    held = hands.view.summary
    for each in added:
        hands.write(each)
    hands.climb({held.summary_id: hands.forged(held, **summary), **edits} if summary else edits)


def claim_is_reworded(hands: Hands) -> None:
    """A claim says that everything is in order."""
    claim = next(iter(hands.view.claims.values()))
    hands.climb({claim.claim_id: hands.forged(claim, text="Everything is in order.")})


def claim_is_deleted(hands: Hands) -> None:
    """A finding is not told of."""
    summary: CorpusSummary = hands.view.summary
    claim = summary.claims[-1]
    left = {k: v for k, v in summary.verdicts.items() if k != claim}
    _tier4(hands, {claim: None, summary.verdicts[claim]: None}, [], claims=summary.claims[:-1], verdicts=left)


def claim_is_inserted(hands: Hands) -> None:
    """A claim that nobody made, with a verdict."""
    view = hands.view
    summary = view.summary
    claim = view.claims[summary.claims[0]]
    forged = hands.forged(claim, text="The controls are effective.")
    verdict = hands.forged(view.verdicts[claim.claim_id], claim_id=forged.claim_id)
    _tier4(
        hands,
        {},
        [forged, verdict],
        claims=(*summary.claims, forged.claim_id),
        verdicts={**summary.verdicts, forged.claim_id: verdict.verdict_id},
    )


def claims_are_reordered(hands: Hands) -> None:
    """The worst finding stands last."""
    _tier4(hands, {}, [], claims=hands.view.summary.claims[::-1])


def verdict_is_by_a_fictitious_checker(hands: Hands) -> None:
    """A checker that nobody has says "supported", so that nothing can check it again."""
    view = hands.view
    verdict: Verdict = view.verdicts[view.summary.claims[0]]
    other = hands.forged(verdict, checker="oracle", weights_version="oracle/1", support_score=1.0)
    hands.climb({verdict.verdict_id: other})


def verdict_is_turned(hands: Hands) -> None:
    """A finding is withheld, as if the checker had refused it."""
    view = hands.view
    summary = view.summary
    claim = summary.claims[-1]
    verdict = view.verdicts[claim]
    other = hands.forged(
        verdict, label="unsupported", support_score=0.0, published=False, filter_reason="not supported"
    )
    _tier4(hands, {verdict.verdict_id: other}, [], claims=summary.claims[:-1], filtered=(*summary.filtered, claim))


def minimum_support_is_lowered(hands: Hands) -> None:
    """What is published needed less support than it says."""
    view = hands.view
    settings = view.manifest.settings.model_copy(update={"minimum_support": 0.1})
    held = view.summary
    hands.climb({held.summary_id: hands.forged(held, minimum_support=0.1)}, settings=settings)


def failures_are_not_counted(hands: Hands) -> None:
    """The manifest says that no file failed."""
    left_out = hands.view.manifest.left_out
    assert left_out is not None
    hands.climb({}, left_out=left_out.model_copy(update={"failed": 0}))


def unread_files_are_not_told_of(hands: Hands) -> None:
    """The summary does not name the files that could not be read."""
    _tier4(hands, {}, [], unread=())


def blob_is_cut(hands: Hands) -> None:
    """The bytes of a file lose their end."""
    version = hands.view.document(ACCESS)
    key = hands.keys.key("blobs", CORPUS, version.raw_sha256, 0)
    from coditect.keyspace import seal

    hands.set_rows((key, seal(hands.keys.relative(key), b"# Access Control Policy\n")))


def blob_is_deleted(hands: Hands) -> None:
    """The bytes of a file are gone."""
    hands.clear_rows(hands.keys.key("blobs", CORPUS, hands.view.document(INCIDENT).raw_sha256, 0))


def step_is_deleted(hands: Hands) -> None:
    """How sections came about is gone."""
    step = hands.store.derivations(CORPUS, [hands.view.manifest.sections[0][0]])
    hands.drop(next(iter(step.values())))


def item_stands_under_an_id_of_another_corpus(hands: Hands) -> None:
    """An extraction whose id is not the hash of what it says."""
    duty = _kinds(hands, "obligation")[0]
    key = hands.keys.key(
        "extractions", CORPUS, duty.document_id, f"extraction_{'f' * TAG_DIGITS}{duty.extraction_id[-40:]}"
    )
    from coditect.keyspace import seal

    hands.set_rows((key, seal(hands.keys.relative(key), hands.forged(duty, confidence=0.7).payload())))
