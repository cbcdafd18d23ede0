"""Stored records of both releases: what is read, what is refused, and the ids that their bytes must have."""

from __future__ import annotations

from typing import Any

import orjson
import pytest
from pydantic import ValidationError

from coditect.errors import Corrupt, NewerRecord
from coditect.schemas import (
    BuildSettings,
    CalibrationSwitch,
    Citation,
    Claim,
    CorpusStatus,
    CorpusSweep,
    Derivation,
    Extraction,
    Item,
    PassageSettings,
    Profile,
    Review,
    SectionPart,
    SweepReport,
    canonical_json,
)
from coditect.schemas.archive import ARCHIVE_VERSION
from coditect.schemas.build import first_derivation_id
from coditect.schemas.profile import CorpusManifest, DeclaredProfile, ManifestEntry, ProfileFact, ProfileParty
from coditect.schemas.record import content_id, record_name, tag_of
from coditect.schemas.section import synthesis_ratio
from coditect.schemas.tier1.data import DATA_MODELS, ObligationData, known_fields
from tests.releases import later_release

CLAIM = Claim.create(
    corpus_id="c", derivation_id="derivation_1", claim_kind="theme", text="Logs are kept.", topic="logs", citations=()
)


def first_form(item: Item) -> tuple[str, bytes]:
    """(id, bytes) of an item as release 0.1.0 wrote it: no name in front, and the id of its other fields among them."""
    fields = orjson.loads(item.payload())
    kind = fields.pop("$record").partition("/")[0]
    stated = content_id(kind, item.tag(), canonical_json(fields), 28)
    return stated, canonical_json({**fields, item.id_field: stated})


def test_ids_have_a_tag_of_12_digits_and_a_hash_of_40() -> None:
    """An id is compared with those in stores of every release, digit by digit."""
    assert content_id("claim", "0f", b"") == "claim_0fe3b0c44298fc1c149afbf4c8996fb92427ae41e4"
    assert len(CLAIM.claim_id) == len("claim_") + 12 + 40
    assert CLAIM.claim_id == content_id("claim", tag_of("c"), CLAIM.payload())
    extraction_tag = Profile.create(
        corpus_id="c", document_id="document_0123456789abcdef", version_id="v", derivation_id="d"
    ).tag()
    assert extraction_tag == "0123456789ab"


def test_name_of_stored_bytes_is_their_kind_and_version() -> None:
    """Bytes of release 0.1.0 name nothing and are of version 1."""
    assert record_name(CLAIM.payload()) == ("claim", 2)
    assert record_name(b'{"a":1}') == ("", 1)
    assert record_name(b'{"$record":"claim/13"}') == ("claim", 13)


def test_item_is_read_with_its_id_or_gets_that_of_its_bytes() -> None:
    """An id that is asked for must be that of the bytes; no id at all takes it."""
    assert Claim.parse(CLAIM.payload(), CLAIM.claim_id) == CLAIM
    assert Claim.parse(CLAIM.payload()) == CLAIM
    with pytest.raises(Corrupt):
        Claim.parse(CLAIM.payload(), "claim_" + "0" * 52)


def test_item_of_the_first_release_is_read_and_keeps_its_shorter_id() -> None:
    """Its id was in its bytes, and is the hash of all others; whatever id was asked for, another one is refused."""
    stated, payload = first_form(CLAIM)
    found = Claim.parse(payload, stated)
    assert found.claim_id == stated
    assert len(stated) == len("claim_") + 12 + 28
    assert Claim.parse(payload) == found
    assert found.says_the_same(CLAIM)
    assert CLAIM.says_the_same(found)
    assert not found.says_the_same(CLAIM.model_copy(update={"text": "Logs are lost."}))
    with pytest.raises(Corrupt):
        Claim.parse(payload, CLAIM.claim_id)
    with pytest.raises(Corrupt):
        Claim.parse(payload.replace(b"kept", b"lost"), stated)


def test_item_of_the_first_release_whose_id_was_its_last_member_is_read() -> None:
    """The id of a switch stands behind all its other fields."""
    switch = CalibrationSwitch.create(corpus_id="c", by="the CISO", at="2026-01-01T00:00:00Z", meaning="agreed")
    stated, payload = first_form(switch)
    assert payload.endswith(f'"switch_id":"{stated}"}}'.encode())
    assert CalibrationSwitch.parse(payload, stated).switch_id == stated


def test_derivation_of_either_release_has_the_id_of_its_inputs() -> None:
    """The first release kept 28 digits of the hash, this one 40; each form must have its own."""
    step = Derivation.create(
        corpus_id="c",
        stage="extractions",
        inputs=("v",),
        method="rules",
        parameters={},
        code_version="tier1/1",
        outputs=("extraction_1",),
    )
    assert len(first_derivation_id(step.derivation_id)) == len("derivation_") + 40
    assert Derivation.parse(step.payload()) == step
    fields = orjson.loads(step.payload())
    del fields["$record"]
    with pytest.raises(Corrupt):
        Derivation.parse(canonical_json(fields))
    fields["derivation_id"] = first_derivation_id(step.derivation_id)
    assert Derivation.parse(canonical_json(fields)).derivation_id == fields["derivation_id"]
    with pytest.raises(Corrupt):
        Derivation.parse(canonical_json({"$record": "derivation/2", **fields}))


def test_record_of_another_kind_or_a_later_version_is_refused() -> None:
    """A newer record is told apart from a damaged one; this version is read, with fields that are left out absent."""
    named = orjson.loads(CLAIM.payload())
    with pytest.raises(Corrupt, match="another kind"):
        Claim.parse(canonical_json({**named, "$record": "summary/2"}))
    with pytest.raises(NewerRecord):
        Claim.parse(canonical_json({**named, "$record": "claim/3"}))
    with pytest.raises(Corrupt):
        Claim.parse(b'{"$record":"claim/2"}')
    assert b"null" not in CLAIM.payload()


def test_sizes_and_names_have_their_limits() -> None:
    """Six levels of passages, 200 characters of a signer's name, 2,000 of what the signature means."""
    levels = (16, 32, 64, 128, 256, 512, 1024)
    assert PassageSettings(chunk_levels=levels[:6]).chunk_levels == levels[:6]
    with pytest.raises(ValidationError):
        PassageSettings(chunk_levels=levels)
    fields: dict[str, Any] = {
        "corpus_id": "c",
        "fingerprint": "ab" * 32,
        "claim_text": "x",
        "evidence": (),
        "decision": "supported",
        "at": "2026-01-01T00:00:00Z",
    }
    assert Review.create(**fields, by="n" * 200, meaning="m" * 2000).by == "n" * 200
    for by, meaning in (("n" * 201, "m"), ("n", "m" * 2001), ("", "m"), ("n", "")):
        with pytest.raises(ValidationError):
            Review.create(**fields, by=by, meaning=meaning)


def test_archives_are_written_in_version_2() -> None:
    """What is exported says so; both versions are read."""
    assert ARCHIVE_VERSION == 2


def test_share_of_synthetic_characters_is_rounded_to_six_digits() -> None:
    """A third is 0.333333, wherever the synthetic part stands."""
    quote = SectionPart(
        type="extractive",
        content="abcd",
        citation=Citation(
            chunk_id="k",
            extraction_ids=(),
            document_id="d",
            version_id="v",
            document_name="a.md",
            char_start=0,
            char_end=4,
        ),
    )
    parts = (SectionPart(type="synthetic", content="ab"), quote)
    assert synthesis_ratio(parts) == 0.333333
    assert synthesis_ratio((quote,)) == 0.0


def test_sweep_is_complete_unless_a_corpus_was_left_alone() -> None:
    """A corpus at work or damaged was left alone; one that was only looked at was not."""
    nothing: dict[str, Any] = {"live": {}, "dead": {}, "removed": {}}
    for states, complete in ((["found", "swept"], True), (["swept", "at work"], False), (["damaged"], False)):
        corpora = tuple(CorpusSweep.model_validate({"corpus_id": "c", "state": state, **nothing}) for state in states)
        assert SweepReport(applied=True, corpora=corpora, seconds=0.0).complete is complete


def test_profile_of_a_manifest_states_days_in_order() -> None:
    """The first day may be the last one; no day before it, no day that does not exist, no empty name."""
    both = DeclaredProfile(effective_from="2026-03-18", effective_to="2026-03-18")
    assert both.effective_to == "2026-03-18"
    assert DeclaredProfile(effective_to="2026-03-17").effective_from is None
    for wrong in (
        {"effective_from": "2026-03-18", "effective_to": "2026-03-17"},
        {"date": "18.3.2026"},
        {"date": "2026-02-30"},
        {"title": "  "},
    ):
        with pytest.raises(ValidationError):
            DeclaredProfile.model_validate(wrong)
    assert DeclaredProfile(title="  Access \n Policy ").title == "Access Policy"


def test_manifest_entry_declares_only_what_it_states() -> None:
    """The document's name is no part of it, and what is left out stays unknown."""
    (entry,) = CorpusManifest(documents=(ManifestEntry(document="a.md", owner="The CISO"),)).documents
    assert entry.declared == DeclaredProfile(owner="The CISO")
    assert entry.declared.model_fields_set == {"owner"}


def test_facts_of_a_profile_stand_in_reading_order() -> None:
    """Only what is known; what a manifest states is given, everything else a guess."""
    given, guess = ProfileFact(value="policy", basis="manifest"), ProfileFact(value="Access", basis="title")
    made = Profile.create(
        corpus_id="c",
        document_id="document_1",
        version_id="v",
        derivation_id="d",
        role=given,
        title=guess,
        parties=(ProfileParty(value="Acme", basis="text"),),
        supersedes=(guess,),
    )
    assert [name for name, _ in made.facts] == ["role", "title", "party", "supersedes"]
    assert [fact.is_given for _, fact in made.facts] == [True, False, False, False]
    assert (made.told("role"), made.told("owner")) == ("policy", "")


def test_data_of_another_shape_keep_what_fits() -> None:
    """A field that does not fit, or is null, is absent; the others stay."""
    found = known_fields(
        {"action": "report it", "actor": 7, "strength": None, "deadline": {"hours": "x"}}, ObligationData
    )
    assert (found.action, found.actor, found.strength, found.deadline) == ("report it", None, None, None)


def test_settings_of_a_build_are_the_same_from_their_own_json() -> None:
    """What a build was made with is stored and read again."""
    settings = BuildSettings()
    assert BuildSettings.model_validate_json(settings.model_dump_json()) == settings


def test_record_of_the_version_before_goes_through_what_brings_it_on() -> None:
    """Only the steps from its own version on are taken."""
    before = CLAIM.payload()
    with later_release(Claim, {}, upcasts={1: _fail, 2: lambda fields: {**fields, "topic": "brought on"}}):
        assert Claim.parse(before, CLAIM.claim_id).topic == "brought on"
        with pytest.raises(NewerRecord):
            Claim.parse(before.replace(b"claim/2", b"claim/4"))


def test_absent_fields_are_left_out_of_what_is_stored() -> None:
    """A null would be a field of its own to whoever hashes the bytes."""
    status = CorpusStatus(corpus_id="c", name="", created_at="", generation=0, build_id="", built_at="")
    assert status.settings is None
    assert "settings" not in orjson.loads(status.payload())


def test_published_schema_names_by_kind_only_what_differs() -> None:
    """What all extractions have stands once; each kind adds its name and its data."""
    schema = Extraction.model_json_schema()
    assert {"corpus_id", "source_text", "extraction_kind", "tier1_data"} <= schema["properties"].keys()
    assert [set(each["properties"]) for each in schema["oneOf"]] == [{"extraction_kind", "tier1_data"}] * len(
        DATA_MODELS
    )


def test_conditions_are_told_as_a_list_however_many_there_are() -> None:
    """None, one as a text, and several."""
    data = (ObligationData(), ObligationData(condition="if asked"), ObligationData(condition=("if asked", "if due")))
    told = [each.conditions for each in data]
    assert told == [(), ("if asked",), ("if asked", "if due")]


def _fail(fields: dict[str, Any]) -> dict[str, Any]:
    raise AssertionError("a step of an earlier version was taken")
