"""The JSON form of an XML profile, as far as it is resolved: imports, merge, set parameters, alterations, and where resources lie.

Source: NIST, OSCAL profile model, XML format reference 1.1.2; both forms are generated from one metaschema.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from coditect.documents.readers.regulatory.oscal import attributes_of, mixed_text, node_from_xml

if TYPE_CHECKING:
    from lxml.etree import _Element

__all__ = ["profile_from_xml"]

Node = dict[str, Any]

_METADATA = ("title", "last-modified", "version", "oscal-version")


def profile_from_xml(root: _Element) -> Node:
    """The JSON form of an XML profile.

    Args:
        root: the ``profile`` element.
    """
    metadata = root.find("{*}metadata")
    found: Node = attributes_of(root)
    found["metadata"] = {} if metadata is None else {
        name: mixed_text(child) for name in _METADATA if (child := metadata.find(f"{{*}}{name}")) is not None
    }  # fmt: skip
    found["imports"] = [{"href": each.get("href", ""), **_selection(each)} for each in root.iterchildren("{*}import")]
    merge, modify = root.find("{*}merge"), root.find("{*}modify")
    if merge is not None:
        found["merge"] = _merge(merge)
    if modify is not None:
        found["modify"] = {
            "set-parameters": [_parameter(each) for each in modify.iterchildren("{*}set-parameter")],
            "alters": [_alteration(each) for each in modify.iterchildren("{*}alter")],
        }
    found["back-matter"] = {"resources": [_resource(each) for each in root.iterfind("{*}back-matter/{*}resource")]}
    return found


def _selection(element: _Element) -> Node:
    """What is included and what is not: all, or calls of ids and patterns."""
    found: Node = {}
    if element.find("{*}include-all") is not None:
        found["include-all"] = {}
    for name in ("include-controls", "exclude-controls"):
        calls = [_call(each) for each in element.iterchildren(f"{{*}}{name}")]
        if calls:
            found[name] = calls
    return found


def _call(element: _Element) -> Node:
    return {
        **attributes_of(element),
        "with-ids": [mixed_text(each) for each in element.iterchildren("{*}with-id")],
        "matching": [attributes_of(each) for each in element.iterchildren("{*}matching")],
    }


def _merge(element: _Element) -> Node:
    found: Node = {}
    combine, as_is, custom = (element.find(f"{{*}}{name}") for name in ("combine", "as-is", "custom"))
    if combine is not None:
        found["combine"] = attributes_of(combine)
    if element.find("{*}flat") is not None:
        found["flat"] = {}
    if as_is is not None:
        found["as-is"] = mixed_text(as_is) in ("true", "1")
    if custom is not None:
        found["custom"] = _custom(custom)
    return found


def _custom(element: _Element) -> Node:
    """Groups that a profile puts together itself, each with what it takes."""
    title = element.find("{*}title")
    return {
        **attributes_of(element),
        **({"title": mixed_text(title)} if title is not None else {}),
        "groups": [_custom(each) for each in element.iterchildren("{*}group")],
        "insert-controls": [
            {**attributes_of(each), **_selection(each)} for each in element.iterchildren("{*}insert-controls")
        ],
    }


def _parameter(element: _Element) -> Node:
    """What is set of a parameter; what is not told stays as the catalogue has it."""
    constraints = [{"description": told} for each in element.iterchildren("{*}constraint") if (told := _told(each))]
    found = {**node_from_xml(element), "values": list(_texts(element, "value")), "constraints": constraints}
    return {name: value for name, value in found.items() if value and name != "prose"}


def _alteration(element: _Element) -> Node:
    return {
        **attributes_of(element),
        "removes": [attributes_of(each) for each in element.iterchildren("{*}remove")],
        "adds": [node_from_xml(each) for each in element.iterchildren("{*}add")],
    }


def _resource(element: _Element) -> Node:
    return {**attributes_of(element), "rlinks": [attributes_of(each) for each in element.iterchildren("{*}rlink")]}


def _told(constraint: _Element) -> str:
    return " ".join(_texts(constraint, "description"))


def _texts(element: _Element, name: str) -> Iterator[str]:
    return (mixed_text(each) for each in element.iterchildren(f"{{*}}{name}"))
