"""What models and requests refuse, and what just passes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from coditect.errors import UsageError
from coditect.models.cards import card_for, model_id_for
from coditect.models.claude.requests import MAX_CACHED_BLOCKS, message_parameters
from coditect.models.flag.embedder import FlagEmbedder
from coditect.models.llm import CacheTtl, TextBlock
from coditect.models.rows import unit_rows
from tests.unit.models.claude.requests import SCHEMA, cited, prose, structured


def cached(*ttls: CacheTtl) -> tuple[TextBlock, ...]:
    """Blocks that are to be kept so long."""
    return tuple(TextBlock(f"block {n}", ttl) for n, ttl in enumerate(ttls))


def test_longest_cache_of_a_request_counts_instructions_and_content() -> None:
    """An hour before five minutes before nothing."""
    request = prose()
    assert request.longest_cache == ""
    assert replace(request, system=cached("5m")).longest_cache == "5m"
    assert replace(request, system=cached("1h"), content=cached("5m")).longest_cache == "1h"


def test_hash_of_a_request_is_that_of_all_that_can_change_its_answer() -> None:
    """How long the service keeps a prefix cannot; everything else can."""
    request = prose()
    assert replace(request, system=(replace(request.system[0], cache="1h"),)).sha256 == request.sha256
    changes: tuple[dict[str, Any], ...] = (
        {"model": "other"},
        {"max_tokens": 501},
        {"citations": True},
        {"effort": "low"},
        {"output_schema": SCHEMA},
        {"content": (TextBlock("Else?"),)},
    )
    assert len({request.sha256, *(replace(request, **change).sha256 for change in changes)}) == len(changes) + 1


def test_request_within_the_limits_of_the_service_passes() -> None:
    """Four blocks that are kept, the longer ones first, and an answer of one token."""
    assert MAX_CACHED_BLOCKS == 4
    request = replace(prose(), system=cached("1h", "1h", "5m", "5m"), max_tokens=1)
    assert message_parameters(request)["max_tokens"] == 1
    assert "output_config" not in message_parameters(request)
    assert message_parameters(structured())["output_config"]["format"]["type"] == "json_schema"


@pytest.mark.parametrize(
    "change",
    [
        {"system": cached("5m", "1h")},
        {"system": cached("1h", "1h", "1h"), "content": cached("1h", "1h")},
        {"max_tokens": 0},
        {"content": ()},
        {"content": (TextBlock(" \n"),)},
        {"system": (TextBlock(""),)},
    ],
    ids=["order", "too many", "no token", "no content", "white space", "no text"],
)
def test_request_that_the_service_would_refuse_is_not_sent(change: dict[str, Any]) -> None:
    """The refusal says what is wrong, and costs nothing."""
    with pytest.raises(UsageError):
        message_parameters(replace(prose(), **change))


def test_answer_either_cites_or_follows_a_schema() -> None:
    """Each alone is fine."""
    assert message_parameters(cited("Beer"))
    with pytest.raises(UsageError, match="both cite"):
        message_parameters(replace(cited("Beer"), output_schema=SCHEMA))


def test_settings_of_an_embedder_that_make_no_sense_are_refused_before_its_folder_is_read(tmp_path: Path) -> None:
    """No tokens in a batch means that the model decides; fewer than none means nothing."""
    with pytest.raises(UsageError, match="negative number"):
        FlagEmbedder(tmp_path / "nowhere", batch_tokens=-1)
    with pytest.raises(UsageError, match="pooling"):
        FlagEmbedder(tmp_path / "nowhere", pooling="max")
    with pytest.raises(UsageError) as caught:
        FlagEmbedder(tmp_path / "nowhere", batch_tokens=0)
    assert "negative" not in caught.value.message


def test_rows_get_the_length_one_each_by_itself() -> None:
    """However many there are; a row of zeros stays one."""
    rows = np.random.default_rng(0).normal(size=(2050, 3)).astype(np.float32)
    rows[1500] = 0.0
    unit = unit_rows(rows)
    lengths = np.linalg.norm(unit, axis=1)
    assert unit.dtype == np.float32
    assert np.allclose(np.delete(lengths, 1500), 1.0, atol=1e-6)
    assert lengths[1500] == 0.0
    assert np.array_equal(unit_rows(rows[1024:1030]), unit[1024:1030])
    assert np.allclose(unit_rows(np.array([[3.0, 4.0]])), [[0.6, 0.8]])


def test_card_of_unknown_weights_says_what_is_known() -> None:
    """Twelve digits of the weights; the name for people is the given one, else what stands before the digits, else the id."""
    assert model_id_for("mine", "0f" * 32) == "mine@0f0f0f0f0f0f"
    assert card_for("mine@0f0f0f0f0f0f", 7, name="My model", max_tokens=99).name == "My model"
    card = card_for("mine@0f0f0f0f0f0f", 7, max_tokens=99)
    assert (card.name, card.dimension, card.max_tokens) == ("mine", 7, 99)
    assert card_for("bare", 7).name == "bare"
