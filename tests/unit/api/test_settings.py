"""What a run can be told, and what is a mistake."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from coditect import SchemaError, Settings
from tests.command_line import invoke
from tests.places import lmdb_only


def test_unknown_argument_is_refused_with_the_nearest_setting() -> None:
    """A mistyped argument never falls back to a default."""
    with pytest.raises(SchemaError, match="not a setting") as caught:
        Settings(tennant="acme")  # type: ignore[call-arg]
    assert caught.value.context == {"name": "tennant"}
    assert caught.value.hint == "Did you mean tenant?"


@pytest.mark.parametrize("name", ["CODITECT_TENNANT", "coditect_tennant"])
def test_unknown_variable_is_refused_with_the_nearest_setting(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """A mistyped environment variable never falls back to a default, however it is written."""
    monkeypatch.setenv(name, "acme")
    with pytest.raises(SchemaError, match="this environment variable is no setting") as caught:
        Settings()
    assert caught.value.hint == "Did you mean CODITECT_TENANT?"


def test_variable_that_is_near_to_nothing_is_refused_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no setting is near, it is said where they are listed."""
    monkeypatch.setenv("CODITECT_XYZZY", "1")
    with pytest.raises(SchemaError) as caught:
        Settings()
    assert caught.value.hint == "The settings are listed in docs/api.md."


@pytest.mark.parametrize(
    "name", ["CODITECT_TEST_ENGINE", "CODITECT_TEST_ANYTHING", "_CODITECT_COMPLETE", "MY_CODITECT_TENNANT"]
)
def test_variables_that_are_no_settings_of_ours_pass(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """What the tests are told, what the shell completion sets, and what only looks alike."""
    monkeypatch.setenv(name, "lmdb")
    Settings()


@pytest.mark.parametrize("name", sorted(Settings.model_fields))
def test_every_setting_passes_as_a_variable(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Each has its variable; a value of another kind is said to be one, and is not taken for an unknown name."""
    monkeypatch.setenv(f"CODITECT_{name.upper()}", "?")
    try:
        heard: set[int | str] = {*Settings().model_fields_set}
    except ValidationError as error:
        heard = {each["loc"][0] for each in error.errors()}
    assert name in heard


@pytest.mark.parametrize("name", ["CODITECT_API_KEY", "ANTHROPIC_API_KEY"])
def test_api_key_has_two_variables_and_an_argument(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """The service's own variable is heard, too; the argument comes first."""
    for each in ("CODITECT_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.delenv(each, raising=False)
    monkeypatch.setenv(name, "of the environment")
    found = Settings().api_key
    assert found is not None
    assert found.get_secret_value() == "of the environment"
    given = Settings(api_key="given").api_key
    assert given is not None
    assert given.get_secret_value() == "given"


@lmdb_only("a store of its own")
def test_command_says_which_variable_is_unknown(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The command line ends with the error's message and its way out, before it opens anything."""
    monkeypatch.setenv("CODITECT_TENNANT", "acme")
    done = invoke(tmp_path / "store", "status")
    assert done.exit_code == 2
    assert "Did you mean CODITECT_TENANT?" in done.output
    assert not (tmp_path / "store").exists()


@pytest.mark.parametrize("value", [{"read_memory_mb": 64}, {"read_time_s": 0}, {"read_time_s": "soon"}])
def test_read_budget_that_cannot_be_is_refused_at_the_start(value: dict[str, Any]) -> None:
    """Before any file is looked at."""
    with pytest.raises(ValidationError):
        Settings(**value)
