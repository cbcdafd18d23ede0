"""Write requirements/*.lock: the versions that the tests passed with, of everything that the base and the tests install.

usage: python tools/lock.py            write them from the environment that runs this
       python tools/lock.py --check    compare them with pyproject.toml, which needs no environment and no network

A lock is a list of constraints: ``pip install --constraint requirements/base.lock coditect-knowledge``. It holds no addresses and
no hashes, so that it serves every index and every platform; which wheel is trusted is a matter of the index that pip is set up
with.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

__all__ = ["drift", "locked", "main", "requirements_of"]

ROOT = Path(__file__).resolve().parent.parent
LOCKS = {"base.lock": (), "server.lock": ("server", "fdb", "calendar", "pdf", "timestamp"), "dev.lock": ("dev",)}
"""Each lock, and the extras that it covers beside the base."""

OLDEST = "3.11"
"""The Python that the locks are written with; what only later ones have is locked in none."""

LEFT_OUT = frozenset({"torch", "setuptools", "pip"})
"""The Makefile chooses a torch for the machine; the others belong to an environment."""

_HEADER = "# Written by tools/lock.py: the versions that the tests passed with. Use with pip's --constraint.\n"


def requirements_of(extras: Iterable[str], root: Path = ROOT) -> list[Requirement]:
    """What pyproject.toml asks for on the oldest Python that it names, in the base and in some extras."""
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    lines = [*project["dependencies"], *(line for extra in extras for line in project["optional-dependencies"][extra])]
    oldest = {"python_version": OLDEST, "extra": ""}
    found = [Requirement(line) for line in lines]
    return [each for each in found if each.marker is None or each.marker.evaluate(oldest)]


def locked(wanted: Iterable[Requirement]) -> dict[str, str]:
    """The installed versions of requirements and of all that they require, by name.

    Raises:
        SystemExit: one is not installed here.
    """
    found: dict[str, str] = {}
    waiting = [(each, extra) for each in wanted for extra in ("", *each.extras)]
    done: set[tuple[str, str]] = set()
    while waiting:
        requirement, extra = waiting.pop()
        name = canonicalize_name(requirement.name)
        if name in LEFT_OUT or (name, extra) in done:
            continue
        done.add((name, extra))
        try:
            there = distribution(name)
        except PackageNotFoundError:
            raise SystemExit(f"{name} is not installed in this environment") from None
        found[name] = re.sub(r"\+.*", "", there.version)
        for line in there.requires or ():
            each = Requirement(line)
            if each.marker is None or each.marker.evaluate({"extra": extra}):
                waiting += [(each, own) for own in ("", *each.extras)]
    return dict(sorted(found.items()))


def drift(root: Path = ROOT) -> list[str]:
    """What the locks and pyproject.toml do not agree on, as sentences; nothing if they do."""
    problems = []
    versions: dict[str, dict[str, str]] = {}
    for file, extras in LOCKS.items():
        lines = (root / "requirements" / file).read_text("utf-8").splitlines()
        versions[file] = dict(line.split("==") for line in lines if not line.startswith("#"))
        for each in requirements_of(extras, root):
            name = canonicalize_name(each.name)
            version = versions[file].get(name)
            if name not in LEFT_OUT and (version is None or not each.specifier.contains(version, prereleases=True)):
                problems.append(f"{file} has {name} {version}, and pyproject.toml asks for {each.specifier}")
    for pinned, version in versions["base.lock"].items():
        if versions["dev.lock"].get(pinned) != version:
            problems.append(f"dev.lock has {pinned} {versions['dev.lock'].get(pinned)}, and base.lock {version}")
    return problems


def main() -> None:
    """Write the locks, or compare them."""
    if "--check" in sys.argv[1:]:
        problems = drift()
        print("\n".join(problems) if problems else "the locks are in step with pyproject.toml")
        sys.exit(bool(problems))
    (ROOT / "requirements").mkdir(exist_ok=True)
    for file, extras in LOCKS.items():
        found = locked(requirements_of(extras))
        lines = "".join(f"{name}=={version}\n" for name, version in found.items())
        (ROOT / "requirements" / file).write_text(_HEADER + lines, "utf-8")
        print(f"requirements/{file}: {len(found)} packages")


if __name__ == "__main__":
    main()
