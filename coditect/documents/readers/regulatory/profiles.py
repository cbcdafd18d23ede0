"""OSCAL profiles resolved into catalogues: imports, selections, merges, parameters and alterations.

Nothing here reads files: whoever calls gives the bytes that an import names. The result is a catalogue in its JSON form, which is
read, stored and cited as any other file, so that every offset refers to text that somebody can open.

Source: NIST, "OSCAL Profile Resolution Specification" (draft); numbers of its sections are those of the draft of 2021.
"""

from __future__ import annotations

import copy
import uuid
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any

from coditect.errors import ReadError

__all__ = ["Loaded", "Loader", "resolve_profile"]

Node = dict[str, Any]

_MOST_IMPORTS = 20
"""Profiles that import profiles, one below the other; more is a mistake."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """What an import names.

    Attributes:
        place: what tells it from others; the same for the same file.
        content: the document, with the one key "catalog" or "profile".
    """

    place: str
    content: Node


Loader = Callable[[str, str], Loaded]
"""Gives what a reference names, seen from a place; raises ReadError where nothing is there."""


@dataclass
class _Selected:
    """What a profile imports, before it is merged."""

    controls: list[Node] = field(default_factory=list)
    params: list[Node] = field(default_factory=list)
    groups: list[Node] = field(default_factory=list)


def resolve_profile(profile: Loaded, load: Loader, at: str) -> tuple[Node, tuple[str, ...]]:
    """Resolve a profile.

    Args:
        profile: the document.
        load: gives what its imports name.
        at: when it is resolved, RFC 3339.

    Returns:
        The catalogue with its key "catalog", and what a reader should know.

    Raises:
        ReadError: an import names nothing, or the profile itself; a control that it names is not there; two controls have one id.
    """
    notes: list[str] = []
    catalog = _resolved(profile, load, (), notes)
    body = profile.content["profile"]
    metadata = copy.deepcopy(body.get("metadata", {}))
    metadata["last-modified"] = at
    metadata["props"] = [*metadata.get("props", ()), {"name": "resolution-tool", "value": "coditect"}]
    seed = f"{body.get('uuid', profile.place)}\0{at}"
    resolved = {"uuid": str(uuid.uuid5(uuid.NAMESPACE_URL, seed)), "metadata": metadata, **catalog}
    return {"catalog": resolved}, tuple(dict.fromkeys(notes))


def _resolved(profile: Loaded, load: Loader, above: tuple[str, ...], notes: list[str]) -> Node:
    if profile.place in above:
        raise ReadError(
            "profiles import each other in a circle",
            name=profile.place,
            chain=" -> ".join((*above[above.index(profile.place) :], profile.place)),
            hint="Remove one of these imports.",
        )
    if len(above) >= _MOST_IMPORTS:
        raise ReadError(
            "profiles import profiles too deeply", name=profile.place, most=_MOST_IMPORTS, hint="Flatten them."
        )
    body = profile.content.get("profile")
    if not isinstance(body, dict) or not isinstance(body.get("imports"), list) or not body["imports"]:
        raise ReadError(
            "the profile imports nothing", name=profile.place, hint='A profile has "imports" with an "href" each.'
        )
    selected: list[_Selected] = []
    for each in body["imports"]:
        href = _href(str(each.get("href", "")), body, profile.place)
        source = load(href, profile.place)
        catalog = source.content.get("catalog")
        if catalog is None:
            catalog = _resolved(source, load, (*above, profile.place), notes)
        selected.append(_selection(each, catalog, source.place))
    merged = _merged(body.get("merge", {}), selected, profile.place)
    _modify(body.get("modify", {}), merged, profile.place, notes)
    return merged


def _href(href: str, body: Node, place: str) -> str:
    """Where an import leads: "#uuid" names a resource of the profile's own back matter."""
    if not href.startswith("#"):
        return href
    resources = body.get("back-matter", {}).get("resources", ())
    found = next((each for each in resources if str(each.get("uuid", "")).lower() == href[1:].lower()), None)
    links = [] if found is None else [str(each["href"]) for each in found.get("rlinks", ()) if each.get("href")]
    if not links:
        raise ReadError(
            "an import of the profile names a resource that is not in its back matter",
            name=place,
            href=href,
            hint="Give the resource an rlink, or import the file by its name.",
        )
    return next((each for each in links if each.lower().endswith(".json")), links[0])


def _selection(directive: Node, catalog: Node, place: str) -> _Selected:
    """The controls that an import takes, in the catalogue's order, with the groups that they stand in."""
    by_id = {str(each["id"]): each for each in _controls(catalog)}
    included = _named(directive.get("include-controls"), by_id, place)
    if "include-all" in directive or "include-controls" not in directive:
        included = set(by_id)
    included -= _named(directive.get("exclude-controls"), by_id, place)
    return _Selected(
        controls=[_without_children(each) for each in _controls(catalog) if each["id"] in included],
        params=copy.deepcopy(list(catalog.get("params", ()))),
        groups=_pruned(catalog, included),
    )


def _controls(node: Node) -> Iterator[Node]:
    """The controls of a catalogue, a group or a control, those inside of others behind them."""
    for control in node.get("controls", ()):
        yield control
        yield from _controls(control)
    for group in node.get("groups", ()):
        yield from _controls(group)


def _named(selections: list[Node] | None, by_id: Mapping[str, Node], place: str) -> set[str]:
    found: set[str] = set()
    for each in selections or ():
        ids = [str(identity) for identity in each.get("with-ids", ())]
        missing = [identity for identity in ids if identity not in by_id]
        if missing:
            raise ReadError(
                "the profile names a control that what it imports does not have",
                name=place,
                controls=", ".join(missing[:10]),
                hint="Correct the id, or import the catalogue that has it.",
            )
        for pattern in (str(one.get("pattern", "")) for one in each.get("matching", ())):
            ids += [identity for identity in by_id if fnmatchcase(identity, pattern)]
        if each.get("with-child-controls") == "yes":
            ids += [str(child["id"]) for identity in list(ids) for child in _controls(by_id[identity])]
        found.update(ids)
    return found


def _without_children(control: Node) -> Node:
    return copy.deepcopy({key: value for key, value in control.items() if key != "controls"})


def _pruned(node: Node, included: set[str]) -> list[Node]:
    """The groups of a catalogue with the controls that are taken; groups that hold none are left out."""
    groups = []
    for group in node.get("groups", ()):
        own = {key: copy.deepcopy(value) for key, value in group.items() if key not in ("controls", "groups")}
        controls, inner = _kept(group, included), _pruned(group, included)
        if controls or inner:
            groups.append(
                {**own, **({"groups": inner} if inner else {}), **({"controls": controls} if controls else {})}
            )
    return groups


def _kept(node: Node, included: set[str]) -> list[Node]:
    """The controls of a node that are taken; one inside of another that is not taken stands in its place."""
    kept: list[Node] = []
    for control in node.get("controls", ()):
        inner = _kept(control, included)
        if control["id"] in included:
            kept.append({**_without_children(control), **({"controls": inner} if inner else {})})
        else:
            kept += inner
    return kept


def _merged(directive: Node, selected: list[_Selected], place: str) -> Node:
    """The selections as one catalogue."""
    method = str(directive.get("combine", {}).get("method", "keep"))
    seen: set[str] = set()
    for one in selected:
        own = {str(each["id"]) for each in one.controls}
        twice = own & seen
        if twice and method != "use-first":
            raise ReadError(
                "two imports of the profile have controls with one id",
                name=place,
                controls=", ".join(sorted(twice)[:10]),
                hint='Exclude them from one import, or combine with the method "use-first".',
            )
        one.controls = [each for each in one.controls if each["id"] not in seen]
        one.groups = _pruned({"groups": one.groups}, own - seen)
        seen |= own
    params = [each for one in selected for each in one.params]
    catalog: Node = {"params": params} if params else {}
    if directive.get("as-is") is True:
        catalog["groups"] = [group for one in selected for group in one.groups]
        inside = {str(each["id"]) for each in _controls(catalog)}
        loose = [each for one in selected for each in one.controls if each["id"] not in inside]
        return {**catalog, **({"controls": loose} if loose else {})}
    if isinstance(directive.get("custom"), dict):
        return {**catalog, **_custom(directive["custom"], [each for one in selected for each in one.controls], place)}
    return {**catalog, "controls": [each for one in selected for each in one.controls]}


def _custom(custom: Node, controls: list[Node], place: str) -> Node:
    """Groups as the profile lays them out."""
    by_id = {str(each["id"]): each for each in controls}
    found: Node = {
        key: copy.deepcopy(custom[key]) for key in ("id", "class", "title", "params", "props", "parts") if key in custom
    }
    inner = [_custom(each, controls, place) for each in custom.get("groups", ())]
    inserted: list[Node] = []
    for each in custom.get("insert-controls", ()):
        ids = set(by_id) if "include-all" in each else _named(each.get("include-controls"), by_id, place)
        ids -= _named(each.get("exclude-controls"), by_id, place)
        inserted += [copy.deepcopy(by_id[identity]) for identity in by_id if identity in ids]
    return {**found, **({"groups": inner} if inner else {}), **({"controls": inserted} if inserted else {})}


def _modify(directive: Node, catalog: Node, place: str, notes: list[str]) -> None:
    """Set parameters and alter controls, in place."""
    parameters = {str(each["id"]): each for each in _parameters(catalog)}
    for each in directive.get("set-parameters", ()):
        target = parameters.get(str(each.get("param-id", "")))
        if target is None:
            notes.append(f"{place}: parameter {each.get('param-id')} is set and belongs to no control that is taken")
            continue
        if each.get("values"):
            target.pop("select", None)
        target.update({key: copy.deepcopy(value) for key, value in each.items() if key != "param-id"})
    controls = {str(each["id"]): each for each in _controls(catalog)}
    for each in directive.get("alters", ()):
        control = controls.get(str(each.get("control-id", "")))
        if control is None:
            notes.append(f"{place}: control {each.get('control-id')} is altered and not taken")
            continue
        for removal in each.get("removes", ()):
            _remove(control, removal)
        for addition in each.get("adds", ()):
            _add(control, addition, place)


def _parameters(node: Node) -> Iterator[Node]:
    yield from node.get("params", ())
    for child in (*node.get("groups", ()), *node.get("controls", ())):
        yield from _parameters(child)


_LISTS = ("params", "props", "links", "parts")


def _remove(node: Node, removal: Node) -> None:
    """Remove what fits all of a removal's criteria, at any depth of a control."""
    for name in _LISTS:
        if name in node:
            node[name] = [each for each in node[name] if not _fits(each, name, removal)]
            for each in node[name]:
                _remove(each, removal)


def _fits(item: Node, kind: str, removal: Node) -> bool:
    wanted = {
        "by-name": item.get("name"),
        "by-class": item.get("class"),
        "by-id": item.get("id"),
        "by-ns": item.get("ns"),
        "by-item-name": kind.removesuffix("s"),
    }
    told = {key: value for key, value in removal.items() if key in wanted}
    return bool(told) and all(wanted[key] == value for key, value in told.items())


def _add(control: Node, addition: Node, place: str) -> None:
    identity, position = addition.get("by-id"), str(addition.get("position", "ending"))
    target = control if identity is None or identity == control["id"] else _find(control, str(identity))
    if target is None:
        raise ReadError(
            "the profile adds to a part that its control does not have",
            name=place,
            control=control["id"],
            part=str(identity),
            hint="Correct the id of the part.",
        )
    if addition.get("title"):
        target["title"] = addition["title"]
    for name in _LISTS:
        new = copy.deepcopy(list(addition.get(name, ())))
        if not new:
            continue
        siblings = _siblings(control, target) if position in ("before", "after") and name == "parts" else None
        if siblings is not None:
            at = next(n for n, each in enumerate(siblings) if each is target) + (position == "after")
            siblings[at:at] = new
        else:
            target[name] = [*new, *target.get(name, ())] if position == "starting" else [*target.get(name, ()), *new]


def _find(node: Node, identity: str) -> Node | None:
    for name in ("parts", "params"):
        for each in node.get(name, ()):
            found = each if each.get("id") == identity else _find(each, identity)
            if found is not None:
                return found
    return None


def _siblings(node: Node, target: Node) -> list[Node] | None:
    """The list of parts that a part stands in."""
    parts: list[Node] = node.get("parts", [])
    if any(each is target for each in parts):
        return parts
    return next((found for each in parts if (found := _siblings(each, target)) is not None), None)
