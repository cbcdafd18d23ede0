"""The public interface as one page, and as a stub for type checkers: what ``coditect`` exports (ADR 0027)."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, get_args

from pydantic import BaseModel
from pydantic.fields import FieldInfo

import coditect
from coditect import client, schemas
from coditect.errors import CoditectError

__all__ = ["api_markdown", "schemas_stub", "stub"]

_DOORS = (
    "open_knowledge",
    "Settings",
    "Knowledge",
    "HierarchicalKnowledgeStore",
    "ValidationAgent",
    "Evidence",
    "View",
)
"""Where a reader begins; everything else is what these take and give."""

_MADE = ("Knowledge", "View")
"""Classes whose constructor is not public; their docstrings say what makes them."""

_ROLE = re.compile(r":(?:class|func|meth|mod|data):`~?\.?(?:[\w.]*\.)?(\w+)`")
_SECTION = re.compile(r"^(Args|Attributes|Returns|Raises|Source):\n", re.MULTILINE)
_ENTRY = re.compile(r"^    (\S[^:\n]*): ", re.MULTILINE)


def api_markdown() -> str:
    """The whole page."""
    names = [name for name in coditect.__all__ if not name.startswith("__")]
    public = {name: getattr(coditect, name) for name in names}
    functions = [name for name in names if inspect.isfunction(public[name]) and name not in _DOORS]
    errors = [name for name in names if inspect.isclass(public[name]) and issubclass(public[name], CoditectError)]
    classes = [name for name in names if inspect.isclass(public[name]) and name not in (*errors, *_DOORS)]
    aliases = [name for name in names if name not in (*functions, *errors, *classes, *_DOORS)]
    lines = [
        "# The public interface",
        "",
        "Written by `tools/contracts.py` from signatures and docstrings; `make check` compares it with the code. Everything",
        "here is imported from `coditect`, or from [`coditect.client`](#the-client-of-a-server) (extra `[client]`); beside",
        "them only `coditect.testing` is public, and every other module may change without notice",
        "([ADR 27](../adr/0027-public-interface.md)).",
        "",
    ]
    for title, group in (
        ("Where to begin", list(_DOORS)),
        ("Functions", functions),
        ("What is taken and given", classes),
        ("Names of choices", aliases),
    ):
        lines += [f"## {title}", ""]
        for name in group:
            lines += [*_described(name, public[name]), ""]
    lines += ["## Errors", "", "| error | is a | means |", "|---|---|---|"]
    lines += [f"| `{name}` | `{public[name].__base__.__name__}` | {_first(public[name])} |" for name in errors]
    return "\n".join([*lines, "", *_client()]) + "\n"


def _client() -> Iterator[str]:
    """The other public module for programs: what answers from another machine."""
    yield from ("## The client of a server", "", *_docstring(inspect.getdoc(client) or ""), "")
    for name in sorted(client.__all__, key=lambda each: (each not in ("Client", "RemoteCorpus"), each)):
        yield from (*_described(name, getattr(client, name)), "")


def stub() -> str:
    """``coditect/__init__.pyi``: each public name imported from where it is, which the program does when it is first used."""
    return _stub("The public names", coditect._NAMES, "__version__: str")


def schemas_stub() -> str:
    """``coditect/schemas/__init__.pyi``: the same of the names of records."""
    return _stub("The names of records", schemas._NAMES)


def _stub(what: str, table: Mapping[str, str], *more: str) -> str:
    lines = [
        f'"""{what}, for type checkers and editors; written by tools/contracts.py from the table beside it."""',
        "",
    ]
    for module, names in sorted(table.items()):
        lines += [f"from {module} import (", *(f"    {name} as {name}," for name in sorted(names.split())), ")"]
    return "\n".join([*lines, "", "__all__: list[str]", *more]) + "\n"


def _described(name: str, found: Any) -> Iterator[str]:  # noqa: ANN401 - whatever is exported
    yield f"### {name}"
    yield ""
    if inspect.isfunction(found):
        yield from _callable(name, found)
    elif inspect.isclass(found):
        yield from _class(name, found)
    else:
        yield " or ".join(f"`{each!r}`" for each in get_args(found) if isinstance(each, str)) or f"`{found!r}`"


def _class(name: str, cls: type) -> Iterator[str]:
    text = inspect.getdoc(cls) or ""
    yield from _docstring(text.partition("\nArgs:\n")[0] if name in _MADE else text)
    if issubclass(cls, BaseModel):
        yield ""
        yield "| field | type | meaning |"
        yield "|---|---|---|"
        notes = inspect.get_annotations(cls)
        for field, info in cls.model_fields.items():
            yield f"| `{field}` | `{_type(cls, field, notes)}` | {_meaning(info)} |"
    for key, member in _members(cls):
        yield ""
        if isinstance(member, tuple):
            yield f"`{name}.{key}`: `{member[0]}`. {member[1]}"
        else:
            yield f"#### {name}.{key}"
            yield ""
            yield from _callable(f"{name}.{key}", member)


def _members(cls: type) -> Iterator[tuple[str, Any]]:
    """Public methods, as functions, and properties, as (type, meaning), in the order of the class and of its parts."""
    public = ("coditect.knowledge.cases.", "coditect.client.")
    parts = [cls, *(base for base in cls.__mro__[1:] if base.__module__.startswith(public))]
    for key, member in ((key, member) for part in parts for key, member in vars(part).items()):
        if key.startswith("_"):
            continue
        function = getattr(member, "__func__", None) or getattr(member, "fget", None) or getattr(member, "func", None)
        if inspect.isfunction(member) or isinstance(member, classmethod):
            yield key, function or member
        elif function is not None:  # a property, cached or not
            yield key, (function.__annotations__.get("return", ""), _first(function))


def _callable(name: str, function: Callable[..., Any]) -> Iterator[str]:
    # A context manager is told by the generator that it is written as, a coroutine by what it says itself.
    plain = function if inspect.iscoroutinefunction(function) else inspect.unwrap(function)
    signature = inspect.signature(plain)
    parameters = list(signature.parameters.values())
    arguments = list(_arguments(parameters[1:] if "." in name else parameters))  # without self
    given = str(signature.return_annotation)
    if plain is not function:  # a context manager, written as a generator
        given = given.replace("Iterator[", "AbstractContextManager[")
    word = "await " if inspect.iscoroutinefunction(plain) else ""
    line = f"{word}{name}({', '.join(arguments)}) -> {given}"
    if len(line) > 100:
        line = f"{word}{name}(\n" + "".join(f"    {each},\n" for each in arguments) + f") -> {given}"
    yield f"```python\n{line}\n```"
    yield ""
    yield from _docstring(inspect.getdoc(plain) or "")


def _arguments(parameters: list[inspect.Parameter]) -> Iterator[str]:
    starred = False
    for each in parameters:
        if each.kind is each.KEYWORD_ONLY and not starred:
            starred = True
            yield "*"
        stars = {each.VAR_POSITIONAL: "*", each.VAR_KEYWORD: "**"}.get(each.kind, "")
        starred = starred or each.kind is each.VAR_POSITIONAL
        text = f"{stars}{each.name}: {each.annotation}"
        if each.default is not each.empty:
            # A default that is a function is shown by its name, and not by where it lies in memory.
            text += f" = {each.default.__name__ if inspect.isfunction(each.default) else repr(each.default)}"
        yield text


def _docstring(text: str) -> Iterator[str]:
    """A Google docstring as Markdown: its sections as lists."""
    pieces = _SECTION.split(_ROLE.sub(r"`\1`", text))
    yield pieces[0].strip().replace("``", "`")
    for title, body in zip(pieces[1::2], pieces[2::2], strict=True):
        yield ""
        yield f"{title}:"
        yield ""
        flat = re.sub(r"\n {5,}", " ", "\n" + body.strip("\n")).strip("\n").replace("``", "`")
        for line in flat.splitlines():
            if line.strip():
                yield "- " + _ENTRY.sub(r"    `\1`: ", line).strip()


def _type(cls: type, field: str, own: dict[str, Any]) -> str:
    """A field's annotation, as it is written."""
    if field in own:
        return str(own[field]).replace("|", "\\|")
    inherited = (inspect.get_annotations(base) for base in cls.__mro__[1:] if issubclass(base, BaseModel))
    return next((str(notes[field]) for notes in inherited if field in notes), "").replace("|", "\\|")


def _meaning(info: FieldInfo) -> str:
    text = (info.description or "").replace("|", "\\|")
    if info.is_required() or info.default_factory is not None or info.default in (None, "", ()):
        return text
    return f"{text} Default: `{info.default!r}`.".strip()


def _first(found: Any) -> str:  # noqa: ANN401 - whatever has a docstring
    """The first paragraph of a docstring, on one line."""
    text = (inspect.getdoc(found) or "").partition("\n\n")[0]
    return " ".join(_ROLE.sub(r"`\1`", text).replace("``", "`").split())
