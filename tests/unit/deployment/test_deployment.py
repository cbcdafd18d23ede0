"""The compose file, the Containerfile and docs/deploy.md name what there is: settings, commands, options, ports, paths, locks."""

from __future__ import annotations

import re
import shlex
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Any

import click
import pytest
import yaml
from packaging.specifiers import SpecifierSet

from coditect.cli.app import coditect
from coditect.settings import Settings
from tools.lock import LOCKS, requirements_of

ROOT = Path(__file__).parents[3]
COMPOSE = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
CONTAINERFILE = (ROOT / "Containerfile").read_text(encoding="utf-8")
PAGE = (ROOT / "docs" / "deploy.md").read_text(encoding="utf-8")
SERVICES = sorted(COMPOSE["services"])
FILES = {
    name: (ROOT / name).read_text(encoding="utf-8") for name in ("compose.yaml", "Containerfile", "docs/deploy.md")
}


def _steps(instruction: str) -> list[str]:
    """What stands behind an instruction, each line that goes on joined."""
    joined = CONTAINERFILE.replace("\\\n", " ")
    return [line.partition(" ")[2].strip() for line in joined.splitlines() if line.startswith(f"{instruction} ")]


def _command(words: list[str]) -> tuple[click.Command, list[str]]:
    """The command that words name, and the words behind it.

    Raises:
        AssertionError: there is none, or a group of commands was given an option that it has not.
    """
    found: click.Command = coditect
    rest = list(words)
    context = click.Context(coditect)
    while isinstance(found, click.Group):
        word = rest.pop(0)
        below = found.get_command(context, word)
        assert below is not None, f"there is no command {word!r}: {words}"
        found, context = below, click.Context(below, parent=context)
    return found, rest


def _require_options(words: list[str]) -> None:
    command, rest = _command(words)
    known = {name for each in command.params if isinstance(each, click.Option) for name in each.opts}
    for word in rest:
        if word.startswith("--"):
            assert word.partition("=")[0] in known, f"{word} is no option of {command.name}"


@pytest.mark.parametrize("name", SERVICES)
def test_every_service_is_kept_within_bounds(name: str) -> None:
    """No root, no capability, nothing to write to but what is named, bounded memory."""
    service = COMPOSE["services"][name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert int(service["user"].partition(":")[0]) > 0
    assert service["mem_limit"]
    assert "privileged" not in service
    assert "cap_add" not in service


@pytest.mark.parametrize("name", SERVICES)
def test_every_service_names_what_there_is(name: str) -> None:
    """Volumes, networks and services that the file itself has."""
    service = COMPOSE["services"][name]
    for volume in service.get("volumes", []):
        assert volume.partition(":")[0] in COMPOSE["volumes"]
    assert set(service["networks"]) <= set(COMPOSE["networks"])
    for other, condition in service.get("depends_on", {}).items():
        assert other in COMPOSE["services"]
        healthy = condition["condition"] == "service_healthy"
        assert not healthy or "healthcheck" in COMPOSE["services"][other]


def test_database_is_where_the_cluster_file_says_and_nobody_outside_reaches_it() -> None:
    """One address in the cluster file, the process and the network; no port is published, and its network leads nowhere."""
    database, inside = COMPOSE["services"]["database"], COMPOSE["networks"]["inside"]
    address = database["networks"]["inside"]["ipv4_address"]
    assert ip_address(address) in ip_network(inside["ipam"]["config"][0]["subnet"])
    script = database["command"][0]
    assert re.findall(r"@([\d.]+):4500", script) == [address]
    assert re.findall(r"--public-address ([\d.]+):4500", script) == [address]
    assert inside["internal"] is True
    assert "ports" not in database
    assert set(database["networks"]) == {"inside"}


def test_cluster_file_of_the_server_is_the_database_s_and_is_read_only() -> None:
    """The path in CODITECT_STORE lies in the volume in which the database writes it."""
    server, database = COMPOSE["services"]["server"], COMPOSE["services"]["database"]
    store = Path(server["environment"]["CODITECT_STORE"].removeprefix("fdb://"))
    places = dict(each.split(":", 1) for each in server["volumes"])
    assert places["cluster"] == f"{store.parent}:ro"
    written = dict(each.split(":", 1) for each in database["volumes"])["cluster"]
    for name in ("database", "configure"):
        said = yaml.safe_dump(COMPOSE["services"][name])
        assert f"{written}/{store.name}" in said
        assert dict(each.split(":", 1) for each in COMPOSE["services"][name]["volumes"])["cluster"] == written


def test_server_s_settings_are_settings_and_lie_in_its_volume(monkeypatch: pytest.MonkeyPatch) -> None:
    """A variable that is no setting would end the server; a path outside of the volume could not be written."""
    server = COMPOSE["services"]["server"]
    for name, value in server["environment"].items():
        monkeypatch.setenv(name, value)
    settings = Settings()
    assert settings.store == server["environment"]["CODITECT_STORE"]
    volume = dict(each.split(":", 1) for each in server["volumes"])["server"]
    assert settings.cache.is_relative_to(volume)
    assert settings.log_key is not None
    assert settings.log_key.is_relative_to(volume)


def test_server_s_command_is_one_that_the_program_takes() -> None:
    """Parsed by the program's own parser, with the place of the host filled in; the port is the one that is published and asked."""
    server = COMPOSE["services"]["server"]
    words = [re.sub(r"\$\{\w+:-(\w+)\}", r"\1", each) for each in server["command"]]
    command, rest = _command(words)
    given = command.make_context("serve", rest).params
    assert (given["host"], given["hosts"]) == ("0.0.0.0", ("localhost",))  # noqa: S104 - what the file has
    assert server["ports"] == [f"127.0.0.1:{given['port']}:{given['port']}"]
    assert f":{given['port']}/readyz" in server["healthcheck"]["test"][-1]
    assert str(given["work"]).startswith("/var/lib/coditect/")


def test_health_checks_ask_what_the_server_answers() -> None:
    """Both ask the path that the server has, and their program compiles."""
    from coditect.server.observing import health

    paths = {getattr(each, "path", "") for each in health.routes}
    (said,) = re.findall(r'CMD (\["python".*\])', CONTAINERFILE)
    for check in (yaml.safe_load(said)[-1], COMPOSE["services"]["server"]["healthcheck"]["test"][-1]):
        compile(check, "health check", "exec")
        assert re.findall(r"8085(/\w+)", check)[0] in paths


def test_containerfile_installs_the_extras_of_its_lock() -> None:
    """As tools/lock.py wrote it: else a version would be chosen on the day of the build."""
    (extras,) = re.findall(r"--constraint requirements/server\.lock '\.\[([\w,]+)\]'", CONTAINERFILE)
    assert tuple(extras.split(",")) == LOCKS["server.lock"]
    requirements_of(LOCKS["server.lock"], ROOT)


def test_containerfile_copies_what_is_there_and_what_is_let_through() -> None:
    """Sources of COPY exist, and .containerignore does not hide them."""
    shown = (ROOT / ".containerignore").read_text(encoding="utf-8").splitlines()
    sources = [word for step in _steps("COPY") if "--from" not in step for word in step.split()[:-1]]
    assert sources
    for source in sources:
        assert (ROOT / source).exists(), source
        assert f"!{source}" in shown, source
    stages = {step.split()[-1] for step in _steps("FROM")}
    for step in _steps("COPY"):
        assert not step.startswith("--from=") or step.split()[0].removeprefix("--from=") in stages
    assert COMPOSE["services"]["server"]["build"]["target"] in stages


def test_containerfile_and_compose_file_agree() -> None:
    """User, volume, port and the version of FoundationDB, which the extra allows."""
    server = COMPOSE["services"]["server"]
    assert _steps("USER") == [server["user"]]
    assert _steps("VOLUME") == [dict(each.split(":", 1) for each in server["volumes"])["server"]]
    assert _steps("EXPOSE") == [server["ports"][0].rpartition(":")[2]]
    (image,) = [each.partition("=")[2] for each in _steps("ARG") if each.startswith("FDB=")]
    assert {COMPOSE["services"][name]["image"] for name in ("database", "configure")} == {image}
    (binding,) = [each for each in requirements_of(["fdb"], ROOT) if each.name == "foundationdb"]
    assert image.rpartition(":")[2] in SpecifierSet(str(binding.specifier))


def test_containerfile_starts_a_command_that_the_program_takes() -> None:
    """CMD is parsed by the program's own parser, and its variables are settings."""
    words: list[Any] = yaml.safe_load(_steps("CMD")[0])
    command, rest = _command(words)
    command.make_context("serve", rest)
    names = re.findall(r"CODITECT_(\w+)=", CONTAINERFILE)
    assert {name.lower() for name in names} <= set(Settings.model_fields)


@pytest.mark.parametrize("name", sorted(FILES))
def test_variables_that_are_named_are_settings(name: str) -> None:
    """But the one that the compose file itself reads."""
    named = {each.lower() for each in re.findall(r"\bCODITECT_([A-Z_]+)", FILES[name])}
    assert named - {"host"} <= set(Settings.model_fields)


def _lines() -> list[str]:
    blocks = re.findall(r"^```\n(.*?)^```", PAGE, flags=re.DOTALL | re.MULTILINE)
    return [line for block in blocks for line in block.replace("\\\n", " ").splitlines()]


def _told() -> list[list[str]]:
    """Words behind the program's name, of every command line of the page."""
    starts = r"(?:^|[ /])coditect (?=[a-z])|localhost/coditect (?=[a-z])|run --rm server "
    cut = [re.split(starts, line, maxsplit=1)[1] for line in _lines() if re.search(starts, line)]
    inline = re.findall(r"`coditect ([a-z]+ [^`|]*)`", PAGE)
    return [shlex.split(each, comments=True) for each in (*cut, *inline)]


def test_commands_of_the_page_are_commands_with_their_options() -> None:
    """Each is looked up in the program; a name that was mistyped, or that changed, is found here."""
    told = _told()
    assert len(told) > 12
    for words in told:
        _require_options(words)


def test_options_that_the_page_names_alone_are_options_of_the_server() -> None:
    """`--behind-https` and the like, where no command stands before them."""
    command, _ = _command(["serve"])
    known = {name for each in command.params if isinstance(each, click.Option) for name in each.opts}
    for name in ("--anonymous", "--behind-https", "--allow-host", "--oidc-issuer", "--oidc-audience", "--oidc-keys"):
        assert name in PAGE
        assert name in known
    assert {"--most", "--rate", "--work"} <= known


def test_links_of_the_page_lead_somewhere() -> None:
    """Files, and headings in them."""
    for target in re.findall(r"\]\(([^)]+)\)", PAGE):
        name, _, heading = target.partition("#")
        file = (ROOT / "docs" / name).resolve()
        assert file.exists(), target
        if heading:
            titles = re.findall(r"^#+ (.+)$", file.read_text(encoding="utf-8"), flags=re.MULTILINE)
            assert heading in {re.sub(r"[^\w -]", "", each).lower().replace(" ", "-") for each in titles}, target


def test_a_command_that_is_not_there_is_found() -> None:
    """The look-up itself can fail."""
    with pytest.raises(AssertionError, match="no command"):
        _require_options(["tokens", "make"])
    with pytest.raises(AssertionError, match="no option"):
        _require_options(["tokens", "new", "--nmae", "x"])
