"""What the container file, the compose file and the page on deploying name is there: commands, settings, folders, extras."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import click
import pytest
import yaml

from coditect.cli.app import coditect
from coditect.settings import Settings

ROOT = Path(__file__).resolve().parents[3]
CONTAINER = (ROOT / "Containerfile").read_text(encoding="utf-8")
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
DEPLOY = (ROOT / "docs" / "deploy.md").read_text(encoding="utf-8")
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]


def _options(*command: str) -> set[str]:
    found: Any = coditect
    context = click.Context(found)
    for name in command:
        found = found.get_command(context, name)
        assert found is not None, command
    return {option for parameter in found.params for option in parameter.opts}


def _environment() -> set[str]:
    return {f"CODITECT_{name.upper()}" for name in Settings.model_fields}


def test_the_server_in_the_container_starts_with_options_that_it_has() -> None:
    """Both ways: the container file's own command, and that of the compose file."""
    own = re.search(r"^CMD \[(.*)\]$", CONTAINER, re.MULTILINE)
    assert own is not None
    words = [each.strip().strip('"') for each in own[1].split(",")]
    composed = SERVICES["knowledge"]["command"]
    for command in (words, composed):
        assert command[0] == "serve"
        assert {each.partition("=")[0] for each in command if each.startswith("--")} <= _options("serve")


@pytest.mark.parametrize("text", [CONTAINER, (ROOT / "compose.yaml").read_text(encoding="utf-8"), DEPLOY])
def test_variables_are_settings(text: str) -> None:
    """A variable that is no setting ends every command; CODITECT_NAME is the compose file's own."""
    named = set(re.findall(r"\bCODITECT_[A-Z_]+\b", text)) - {"CODITECT_NAME"}
    assert named <= _environment()
    assert named


def test_commands_on_the_page_exist() -> None:
    """Each with its options."""
    lines = re.findall(r"coditect (?:--store \S+ )?((?:serve|tokens new|keys new|log checkpoint)\b[^\n`]*)", DEPLOY)
    assert len(lines) > 5
    for line in lines:
        words = line.split(" #")[0].split()
        command = words[:1] if words[0] == "serve" else words[:2]
        asked = {each.partition("=")[0] for each in words if each.startswith("--")}
        assert asked <= _options(*command), line


def test_the_image_is_built_from_what_is_there() -> None:
    """Folders that are copied, extras that are installed, versions that are locked, stages that others name."""
    for line in re.findall(r"^COPY (?!--from)(.*) \S+$", CONTAINER, re.MULTILINE):
        for source in line.split():
            assert (ROOT / source).exists(), source
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = re.search(r"'\.\[([a-z,]+)\]'", CONTAINER)
    assert asked is not None
    assert set(asked[1].split(",")) <= set(project["optional-dependencies"])
    assert (ROOT / "requirements" / "server.lock").is_file()
    stages = set(re.findall(r"^FROM \S+ AS (\S+)$", CONTAINER, re.MULTILINE))
    assert {SERVICES["knowledge"]["build"]["target"], "server"} <= stages


def test_nothing_runs_with_more_rights_than_it_needs() -> None:
    """No root in the image, no capabilities, no new privileges; what serves writes to its volumes alone; the store has no port."""
    assert re.search(r"^USER 10001:10001$", CONTAINER, re.MULTILINE)
    for name, service in SERVICES.items():
        assert service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert not service.get("privileged"), name
    assert SERVICES["knowledge"]["read_only"]
    assert [name for name, service in SERVICES.items() if "ports" in service] == ["proxy"]
    assert SERVICES["fdb"]["networks"].keys() == {"inside"}
    assert COMPOSE["networks"]["inside"]["internal"]


def test_volumes_are_declared_and_lie_where_the_image_has_folders_of_its_user() -> None:
    """A fresh volume takes the owner of the folder beneath it."""
    used = {each.partition(":")[0] for service in SERVICES.values() for each in service.get("volumes", ())}
    assert used == set(COMPOSE["volumes"])
    made = re.search(r"install -d -m 0700 -o 10001 -g 10001 (.*)$", CONTAINER, re.MULTILINE)
    assert made is not None
    writable = {each.split(":")[1] for each in SERVICES["knowledge"]["volumes"] if not each.endswith(":ro")}
    assert writable == set(made[1].split())


def test_probes_ask_what_the_server_answers() -> None:
    """The health check's address is one of the server's, at the port where it listens."""
    from coditect.server.observing import health

    paths = {getattr(each, "path", "") for each in health.routes}
    asked = re.search(r"http://127\.0\.0\.1:(\d+)(/\w+)", CONTAINER)
    assert asked is not None
    assert asked[2] in paths
    assert f"EXPOSE {asked[1]}" in CONTAINER
    assert f"knowledge:{asked[1]}" in SERVICES["proxy"]["command"]
    assert set(re.findall(r"^\| `(/\w+)` \|", DEPLOY, re.MULTILINE)) <= paths
