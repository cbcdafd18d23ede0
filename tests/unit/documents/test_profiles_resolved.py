"""Profiles resolved into catalogues: what is selected, how it is merged, and what is set and altered."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from coditect.documents.readers.regulatory.profiles import Loaded, resolve_profile
from coditect.errors import ReadError

Node = dict[str, Any]

AT = "2026-01-01T00:00:00Z"


def _control(identity: str, *inner: Node, **more: object) -> Node:
    return {"id": identity, "title": identity.upper(), **({"controls": list(inner)} if inner else {}), **more}


def _catalog(**more: object) -> Node:
    """Two groups, of which the first has a control inside of another, and a control in no group."""
    ac = {"id": "ac", "controls": [_control("ac-1", _control("ac-1.1")), _control("ac-2")]}
    ir = {"id": "ir", "groups": [{"id": "ir-x", "controls": [_control("ir-1")]}]}
    return {"catalog": {"groups": [ac, ir], "controls": [_control("pm-1")], **more}}


ALL = ["pm-1", "ac-1", "ac-1.1", "ac-2", "ir-1"]


def _resolved(*imports: Node, files: Mapping[str, Node] | None = None, **body: object) -> tuple[Node, tuple[str, ...]]:
    """The catalogue of a profile, and its notes; imports are of a catalogue unless they say otherwise."""
    known = {"catalog.json": _catalog(), **(files or {})}
    profile = {"profile": {"imports": [{"href": "catalog.json", **each} for each in imports], **body}}

    def load(href: str, _: str) -> Loaded:
        return Loaded(href, known[href])

    found, notes = resolve_profile(Loaded("top.json", profile), load, AT)
    return found["catalog"], notes


def _ids(node: Node) -> list[str]:
    found = [each["id"] for each in node.get("controls", ())]
    for each in (*node.get("controls", ()), *node.get("groups", ())):
        found += _ids(each)
    return found


@pytest.mark.parametrize(
    ("directive", "taken"),
    [
        ({}, ALL),
        ({"include-all": {}}, ALL),
        ({"include-all": {}, "include-controls": [{"with-ids": ["ac-2"]}]}, ALL),
        ({"include-controls": [{"with-ids": ["ac-2", "pm-1"]}]}, ["pm-1", "ac-2"]),
        ({"include-controls": [{"with-ids": ["ac-1"]}]}, ["ac-1"]),
        ({"include-controls": [{"with-ids": ["ac-1"], "with-child-controls": "yes"}]}, ["ac-1", "ac-1.1"]),
        ({"include-controls": [{"with-ids": ["ac-1"], "with-child-controls": "no"}]}, ["ac-1"]),
        ({"include-controls": [{"matching": [{"pattern": "ac-*"}, {"pattern": "IR-1"}]}]}, ["ac-1", "ac-1.1", "ac-2"]),
        ({"exclude-controls": [{"with-ids": ["ac-1"]}]}, ["pm-1", "ac-1.1", "ac-2", "ir-1"]),
        ({"exclude-controls": [{"matching": [{"pattern": "?c-*"}]}]}, ["pm-1", "ir-1"]),
    ],
)
def test_profile_takes_the_controls_that_its_import_selects(directive: Node, taken: list[str]) -> None:
    """In the catalogue's order; those inside of others only where they are named, too, or wanted with them."""
    catalog, notes = _resolved(directive)
    assert _ids(catalog) == taken
    assert notes == ()


def test_profile_that_names_an_unknown_control_is_refused_with_its_id() -> None:
    """At most ten ids are told."""
    ids = [f"no-{n:02}" for n in range(12)]
    with pytest.raises(ReadError) as refused:
        _resolved({"include-controls": [{"with-ids": ["ac-1", *ids]}]})
    assert refused.value.context["controls"] == ", ".join(ids[:10])


def test_profile_as_is_keeps_the_groups_that_hold_something() -> None:
    """A control inside of one that is not taken stands in its place; what is in no group is beside them."""
    catalog, _ = _resolved({"exclude-controls": [{"with-ids": ["ac-1", "ir-1"]}]}, merge={"as-is": True})
    assert [each["id"] for each in catalog["groups"]] == ["ac"]
    assert [each["id"] for each in catalog["groups"][0]["controls"]] == ["ac-1.1", "ac-2"]
    assert [each["id"] for each in catalog["controls"]] == ["pm-1"]
    whole, _ = _resolved({"exclude-controls": [{"with-ids": ["pm-1"]}]}, merge={"as-is": True})
    assert "controls" not in whole
    assert _ids(whole["groups"][0]) == ["ac-1", "ac-2", "ac-1.1"]
    assert whole["groups"][1] == {"id": "ir", "groups": [{"id": "ir-x", "controls": [_control("ir-1")]}]}
    flat, _ = _resolved({}, merge={"as-is": False})
    assert "groups" not in flat


def test_profile_lays_out_groups_of_its_own() -> None:
    """Controls in the order of the selection, groups inside of groups, and what describes them."""
    custom = {
        "id": "own",
        "title": "Own",
        "groups": [{"id": "inner", "insert-controls": [{"include-controls": [{"with-ids": ["ir-1", "ac-2"]}]}]}],
        "insert-controls": [{"include-all": {}, "exclude-controls": [{"matching": [{"pattern": "ac-*"}]}]}],
        "other": "not taken",
    }
    catalog, _ = _resolved({}, merge={"custom": custom})
    del catalog["uuid"], catalog["metadata"]
    assert catalog == {
        "id": "own",
        "title": "Own",
        "groups": [{"id": "inner", "controls": [_control("ac-2"), _control("ir-1")]}],
        "controls": [_control("pm-1"), _control("ir-1")],
    }


def test_controls_with_one_id_are_refused_or_the_first_is_used() -> None:
    """As the profile says how they are combined."""
    other = {"catalog": {"groups": [{"id": "x", "controls": [_control("ac-2", note="other"), _control("zz-1")]}]}}
    imports = ({"include-controls": [{"with-ids": ["ac-2"]}]}, {"href": "other.json"})
    with pytest.raises(ReadError, match="one id") as refused:
        _resolved(*imports, files={"other.json": other})
    assert refused.value.context["controls"] == "ac-2"
    for layout in ({}, {"as-is": True}):
        catalog, _ = _resolved(
            *imports, files={"other.json": other}, merge={"combine": {"method": "use-first"}, **layout}
        )
        assert _ids(catalog) == ["ac-2", "zz-1"]
        assert "note" not in str(catalog)


def test_profile_of_a_profile_is_resolved_first() -> None:
    """What that takes can be selected; a circle is told with its files, and so is a chain without end."""
    inner = {"profile": {"imports": [{"href": "catalog.json", "include-controls": [{"with-ids": ["ac-1", "ac-2"]}]}]}}
    catalog, _ = _resolved(
        {"href": "inner.json", "exclude-controls": [{"with-ids": ["ac-1"]}]}, files={"inner.json": inner}
    )
    assert _ids(catalog) == ["ac-2"]
    circle = {"profile": {"imports": [{"href": "back.json"}]}}
    back = {"profile": {"imports": [{"href": "circle.json"}]}}
    with pytest.raises(ReadError, match="circle") as refused:
        _resolved({"href": "circle.json"}, files={"circle.json": circle, "back.json": back})
    assert refused.value.context["chain"] == "circle.json -> back.json -> circle.json"


@pytest.mark.parametrize(("deep", "refused"), [(19, False), (20, True)])
def test_profiles_import_profiles_at_most_twenty_deep(deep: int, refused: bool) -> None:
    """The one that is resolved is the first."""
    files: dict[str, Node] = {
        f"{n}.json": {"profile": {"imports": [{"href": f"{n + 1}.json" if n < deep else "catalog.json"}]}}
        for n in range(1, deep + 1)
    }
    if refused:
        with pytest.raises(ReadError, match="too deeply"):
            _resolved({"href": "1.json"}, files=files)
    else:
        assert _ids(_resolved({"href": "1.json"}, files=files)[0]) == ALL


@pytest.mark.parametrize("body", [{}, {"imports": []}, {"imports": "catalog.json"}])
def test_profile_without_imports_is_refused(body: Node) -> None:
    """There is nothing that it could select."""
    with pytest.raises(ReadError, match="imports nothing"):
        resolve_profile(Loaded("top.json", {"profile": body}), lambda *_: Loaded("", {}), AT)


def test_import_by_number_leads_to_the_json_of_that_resource() -> None:
    """In the profile's own back matter, in any case; another link where there is no JSON, and none is an error."""
    resources: list[Node] = [
        {"uuid": "AA", "rlinks": [{"href": "catalog.xml"}, {}, {"href": "Catalog.JSON"}]},
        {"uuid": "bb", "rlinks": [{"href": "catalog.xml"}, {"href": "catalog.yaml"}]},
        {"uuid": "cc", "rlinks": [{"media-type": "text"}]},
    ]
    known = {"Catalog.JSON": _catalog(), "catalog.xml": {"catalog": {"controls": [_control("xml-1")]}}}
    back: Node = {"back-matter": {"resources": resources}}
    assert _ids(_resolved({"href": "#aa"}, files=known, **back)[0]) == ALL
    assert _ids(_resolved({"href": "#BB"}, files=known, **back)[0]) == ["xml-1"]
    for href in ("#cc", "#dd", "#"):
        with pytest.raises(ReadError, match="back matter") as refused:
            _resolved({"href": href}, files=known, **back)
        assert refused.value.context["href"] == href


def test_parameters_are_set_wherever_they_stand() -> None:
    """A value takes the place of a choice; one of a control that is not taken is a note, told once."""
    files = {
        "params.json": {
            "catalog": {
                "params": [{"id": "p-0", "label": "top"}],
                "controls": [_control("a-1", _control("a-1.1", params=[{"id": "p-2"}]), params=[{"id": "p-1", "select": 1}])],
            }
        }
    }  # fmt: skip
    sets = [
        {"param-id": "p-0", "label": "set"},
        {"param-id": "p-1", "values": ["3 days"]},
        {"param-id": "p-2", "label": "x"},
        {"param-id": "p-9"},
        {"param-id": "p-9"},
    ]
    catalog, notes = _resolved(
        {"href": "params.json"}, files=files, modify={"set-parameters": sets}, merge={"as-is": True}
    )
    assert catalog["params"] == [{"id": "p-0", "label": "set"}]
    outer = {each["id"]: each for each in catalog["controls"]}
    assert outer["a-1"]["params"] == [{"id": "p-1", "values": ["3 days"]}]
    assert outer["a-1.1"]["params"] == [{"id": "p-2", "label": "x"}]
    assert notes == ("top.json: parameter p-9 is set and belongs to no control that is taken",)
    kept, _ = _resolved({"href": "params.json"}, files=files, modify={"set-parameters": [{"param-id": "p-1"}]})
    assert kept["controls"][0]["params"] == [{"id": "p-1", "select": 1}]


def _altered(**alter: object) -> Node:
    """A control with parts inside of parts, after it was altered."""
    parts = [
        {"id": "s", "name": "statement", "parts": [{"id": "s.a", "name": "item"}, {"id": "s.b", "name": "item"}]},
        {"id": "g", "name": "guidance", "class": "long"},
    ]
    files = {"one.json": {"catalog": {"controls": [_control("a-1", parts=parts, props=[{"name": "label"}])]}}}
    alters = [{"control-id": "a-1", **alter}, {"control-id": "no-1"}]
    catalog, notes = _resolved({"href": "one.json"}, files=files, modify={"alters": alters})
    assert notes == ("top.json: control no-1 is altered and not taken",)
    found: Node = catalog["controls"][0]
    return found


@pytest.mark.parametrize(
    ("removal", "left"),
    [
        ({"by-name": "item"}, ["s", "g"]),
        ({"by-id": "s.a"}, ["s", "s.b", "g"]),
        ({"by-id": "s"}, ["g"]),
        ({"by-class": "long"}, ["s", "s.a", "s.b"]),
        ({"by-name": "guidance", "by-class": "short"}, ["s", "s.a", "s.b", "g"]),
        ({"by-item-name": "part"}, []),
        ({}, ["s", "s.a", "s.b", "g"]),
        ({"unknown": "x"}, ["s", "s.a", "s.b", "g"]),
    ],
)
def test_removal_takes_what_fits_all_that_it_says(removal: Node, left: list[str]) -> None:
    """At any depth; one that says nothing removes nothing."""
    found = _altered(removes=[removal])

    def ids(node: Node) -> list[str]:
        return [each for part in node.get("parts", ()) for each in (part["id"], *ids(part))]

    assert ids(found) == left
    assert found["props"] == [{"name": "label"}]


@pytest.mark.parametrize(
    ("addition", "top", "inner"),
    [
        ({}, ["s", "g", "n"], ["s.a", "s.b"]),
        ({"position": "starting"}, ["n", "s", "g"], ["s.a", "s.b"]),
        ({"position": "ending", "by-id": "a-1"}, ["s", "g", "n"], ["s.a", "s.b"]),
        ({"position": "before", "by-id": "g"}, ["s", "n", "g"], ["s.a", "s.b"]),
        ({"position": "after", "by-id": "s"}, ["s", "n", "g"], ["s.a", "s.b"]),
        ({"position": "before", "by-id": "s.b"}, ["s", "g"], ["s.a", "n", "s.b"]),
        ({"position": "after", "by-id": "s.b"}, ["s", "g"], ["s.a", "s.b", "n"]),
        ({"position": "starting", "by-id": "s"}, ["s", "g"], ["n", "s.a", "s.b"]),
    ],
)
def test_addition_stands_where_it_says(addition: Node, top: list[str], inner: list[str]) -> None:
    """In a part, or before or behind it among its like; without a place at the end of the control."""
    found = _altered(adds=[{**addition, "parts": [{"id": "n"}]}])
    assert [each["id"] for each in found["parts"]] == top
    statement = next(each for each in found["parts"] if each["id"] == "s")
    assert [each["id"] for each in statement["parts"]] == inner


def test_additions_give_titles_and_properties_and_need_their_part() -> None:
    """Properties go to what is named, whatever the position; a part that is not there is an error."""
    found = _altered(
        adds=[{"title": "New", "props": [{"name": "x"}]}, {"by-id": "g", "position": "before", "props": [1]}]
    )
    assert (found["title"], found["props"]) == ("New", [{"name": "label"}, {"name": "x"}])
    assert found["parts"][1]["props"] == [1]
    with pytest.raises(ReadError) as refused:
        _altered(adds=[{"by-id": "none"}])
    assert (refused.value.context["control"], refused.value.context["part"]) == ("a-1", "none")


def test_resolved_catalogue_says_what_made_it_and_when() -> None:
    """Its number depends on the profile and the time alone."""
    catalog, _ = _resolved({}, uuid="u", metadata={"title": "T", "props": [{"name": "p"}]})
    assert catalog["metadata"] == {
        "title": "T", "last-modified": AT, "props": [{"name": "p"}, {"name": "resolution-tool", "value": "coditect"}],
    }  # fmt: skip
    assert catalog["uuid"] == _resolved({}, uuid="u")[0]["uuid"] != _resolved({}, uuid="v")[0]["uuid"]
