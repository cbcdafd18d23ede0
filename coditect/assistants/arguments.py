"""Wrong arguments of a tool, told as sentences that an assistant can act on: which one, what is wrong, and what is allowed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

__all__ = ["allowed_for", "wrong_arguments"]

_SHOWN = 60
"""Characters of a rejected value that are shown."""
_UNBOUNDED = 2**40
"""A number from which on a limit is none that anybody would be told of."""


def wrong_arguments(
    tool: str, schema: Mapping[str, Any], given: Mapping[str, Any], error: ValidationError | None = None
) -> str:
    """What is wrong with the arguments of a call.

    Args:
        tool: its name.
        schema: JSON Schema of its arguments.
        given: the arguments.
        error: what the check of them says; None where nothing but their names was looked at.
    """
    known: Mapping[str, Any] = schema.get("properties", {})
    told: dict[str, str] = {}
    if error is None:
        missing = [name for name in schema.get("required", ()) if name not in given]
        told = {name: f"'{name}' is missing: it has to be {allowed_for(known[name], schema)}" for name in missing}
    for each in error.errors(include_url=False) if error is not None else ():
        name = str(each["loc"][0]) if each["loc"] else ""
        allowed = allowed_for(known.get(name, {}), schema)
        if each["type"] == "missing":
            told.setdefault(name, f"'{name}' is missing: it has to be {allowed}")
        else:
            told.setdefault(name, f"'{name}' is {_shown(given.get(name))}, and has to be {allowed}")
    unknown = sorted(set(given) - set(known))
    if unknown:
        names = ", ".join(f"'{_short(each)}'" for each in unknown)
        told[""] = f"{names} {'is no argument' if len(unknown) == 1 else 'are no arguments'} of it"
    takes = ", ".join(f"{name}{'' if name in schema.get('required', ()) else ' (optional)'}" for name in known)
    return f"{tool} was not called: {'; '.join(told.values())}. It takes {takes or 'no arguments'}."


def allowed_for(argument: Mapping[str, Any], schema: Mapping[str, Any]) -> str:
    """What an argument may be, in words: "a whole number from 1 to 20", "one of passage, section".

    Args:
        argument: its part of the schema.
        schema: the whole, for what it refers to.
    """
    if reference := argument.get("$ref"):
        return allowed_for(schema.get("$defs", {}).get(str(reference).rpartition("/")[2], {}), schema)
    if choices := argument.get("anyOf"):
        return " or ".join(dict.fromkeys(allowed_for(each, schema) for each in choices))
    if "enum" in argument:
        return "one of " + ", ".join(map(str, argument["enum"]))
    match argument.get("type"):
        case "integer" | "number":
            kind = "a whole number" if argument["type"] == "integer" else "a number"
            return kind + _range(argument, "minimum", "maximum", "")
        case "string":
            return "text" + _range(argument, "minLength", "maxLength", " characters")
        case "array":
            inner = allowed_for(argument.get("items", {}), schema)
            most = argument.get("maxItems")
            return f"a list{f' of at most {most}' if most else ''}, each {inner}"
        case "boolean":
            return "true or false"
        case "null":
            return "left out"
    return "as the tool's description says"


def _range(argument: Mapping[str, Any], least: str, most: str, unit: str) -> str:
    low, high = argument.get(least), argument.get(most)
    high = None if high is not None and high >= _UNBOUNDED else high
    if low is not None and high is not None:
        return f" from {low:,} to {high:,}{unit}" if not unit else f" of {low:,} to {high:,}{unit}"
    if high is not None:
        return f" up to {high:,}" if not unit else f" of at most {high:,}{unit}"
    return "" if low is None else f" from {low:,} on" if not unit else f" of at least {low:,}{unit}"


def _shown(value: object) -> str:
    return f"'{_short(value)}'" if isinstance(value, str) else "nothing" if value is None else _short(value)


def _short(value: object) -> str:
    said = " ".join(str(value).split())
    return said if len(said) <= _SHOWN else said[: _SHOWN - 1] + "…"
