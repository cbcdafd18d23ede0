"""OSCAL catalogues (JSON or XML): groups, controls, statements and guidance as headings, list items and paragraphs.

Source: NIST OSCAL 1.x catalogue model; the 1.0 drafts' names ("properties", "parameters") are understood too. The XML
form is first turned into the JSON form.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from coditect.documents.readers.failures import LIBRARY_FAILURES, broken
from coditect.documents.readers.layout import LayoutWriter
from coditect.documents.readers.limits import ReadLimits
from coditect.documents.source import SourceText

if TYPE_CHECKING:
    from lxml.etree import _Element

__all__ = ["NAMESPACE", "attributes_of", "catalog_from_xml", "mixed_text", "node_from_xml", "read_catalog"]

NAMESPACE = "http://csrc.nist.gov/ns/oscal/1.0"
_INSERT = re.compile(r"\{\{\s*(?:insert:\s*param\s*,\s*|param:\s*)?([\w.\[\]-]+)\s*\}\}")
_SPACES = re.compile(r"\s+")
_MAX_DEPTH = 5  # of parameters inside parameters; more is a circle
# Parts whose name says no more than the control's heading does.
_UNNAMED_PARTS = frozenset({"statement", "item", "assessment-objects", "overview"})


def read_catalog(
    catalog: dict[str, Any], name: str, limits: ReadLimits, media_type: str, warnings: tuple[str, ...] = ()
) -> SourceText:
    """Read a catalogue in its JSON form.

    Args:
        catalog: the value of the top-level key ``catalog``.
        name: the relative file name.
        limits: the bounds on what is read.
        media_type: IANA media type of the file.
        warnings: what decoding has to say.

    Raises:
        ReadError: not a catalogue, or without text.
    """
    writer = LayoutWriter(name, limits)
    try:
        title = str(catalog.get("metadata", {}).get("title", ""))
        written = _Catalogue(writer, catalog)
        written.write(title)
    except LIBRARY_FAILURES as error:
        raise broken(
            "the OSCAL catalogue is malformed", name, error, "Validate it against its OSCAL schema."
        ) from error
    # What was read before parameters could have values is read as it was.
    reader = "oscal/2" if written.has_values else "oscal/1"
    return writer.finish(media_type, reader, title=title, warnings=warnings)


class _Catalogue:
    """Writes a catalogue; knows its parameters.

    Attributes:
        has_values: whether a parameter is set, as profiles do; its values are printed where it is inserted.
    """

    def __init__(self, writer: LayoutWriter, catalog: dict[str, Any]) -> None:
        self._writer = writer
        self._catalog = catalog
        self._parameters: dict[str, dict[str, Any]] = {}
        self._filled: dict[tuple[str, int], str] = {}
        self._collect(catalog)
        self.has_values = any(each.get("values") for each in self._parameters.values())

    def _collect(self, node: dict[str, Any]) -> None:
        for parameter in node.get("params", node.get("parameters", ())):
            self._parameters[parameter["id"]] = parameter
        for child in (*node.get("groups", ()), *node.get("controls", ())):
            self._collect(child)

    def write(self, title: str) -> None:
        """Write everything, in document order."""
        self._writer.add(title, "heading", 1)
        self._children(self._catalog, 2)

    def _children(self, node: dict[str, Any], level: int) -> None:
        for group in node.get("groups", ()):
            self._section(group, level)
        for control in node.get("controls", ()):
            self._section(control, level)

    def _section(self, node: dict[str, Any], level: int) -> None:
        """A group, a control or an enhancement."""
        title, printed = str(node.get("title", "")), _printed_label(node)
        heading = title if not printed or printed in title or title in printed else f"{printed} {title}"
        # CSF prints "Organizational Context (GV.OC)" as the label of "Organizational Context".
        heading = printed if printed and title and title in printed else heading
        self._writer.add(heading or str(node.get("id", "")), "heading", min(level, 6), str(node.get("id", "")))
        for part in node.get("parts", ()):
            self._part(part, level + 1, 0)
        self._children(node, level + 1)

    def _part(self, part: dict[str, Any], level: int, depth: int) -> None:
        name = str(part.get("name", ""))
        marker = _printed_label(part)
        paragraphs = [self._fill(p) for p in _paragraphs(part.get("prose", ""))]
        if name not in _UNNAMED_PARTS:
            heading = str(part.get("title", "")) or marker or name.replace("-", " ").replace("_", " ").capitalize()
            method = _property(part, "method")
            heading = f"{heading}: {method}" if method else heading
            self._writer.add(heading, "heading", min(level, 6), str(part.get("id", "")))
        elif name == "item" or marker:
            depth += 1
            first = f"{marker} {paragraphs[0] if paragraphs else ''}"
            self._writer.add(first, "list_item", depth, str(part.get("id", "")))
            paragraphs = paragraphs[1:]
        for paragraph in paragraphs:
            self._writer.add(paragraph, "paragraph", label=str(part.get("id", "")))
        for child in part.get("parts", ()):
            self._part(child, level + 1, depth)

    def _fill(self, prose: str, depth: int = 0) -> str:
        """Prose with each parameter spelled out as the printed catalogue does."""

        def spelled(found: re.Match[str]) -> str:
            parameter = self._parameters.get(found.group(1))
            if parameter is None or depth >= _MAX_DEPTH:
                return found.group(0)
            key = (found.group(1), depth)
            if key not in self._filled:  # once: parameters that insert each other would be spelled out again and again
                self._filled[key] = self._spelled(*key, parameter)
            return self._filled[key]

        return _INSERT.sub(spelled, prose)

    def _spelled(self, name: str, depth: int, parameter: dict[str, Any]) -> str:
        values = parameter.get("values")
        if values:
            return ", ".join(self._fill(str(each), depth + 1) for each in values)
        choice = parameter.get("select")
        if choice:
            options = choice.get("choice", choice.get("alternatives", ()))
            count = " (one or more)" if "or more" in str(choice.get("how-many", "")).replace("-", " ") else ""
            return f"[Selection{count}: {'; '.join(self._fill(str(o), depth + 1) for o in options)}]"
        return f"[Assignment: {self._fill(str(parameter.get('label') or name), depth + 1)}]"


def _property(node: dict[str, Any], name: str) -> str:
    """A property's value, or ""; one without a class wins over, say, the zero-padded label."""
    found = [p for p in node.get("props", node.get("properties", ())) if p.get("name") == name]
    found.sort(key=lambda p: "class" in p)
    return str(found[0]["value"]) if found else ""


def _printed_label(node: dict[str, Any]) -> str:
    """The label as printed, such as "AC-2" or "(a)"."""
    return _property(node, "label")


def _paragraphs(prose: str) -> list[str]:
    """Paragraphs of prose; one published catalogue has a backslash and an n where a line end belongs."""
    return [p for p in prose.replace("\\n", "\n").split("\n\n") if p.strip()]


def catalog_from_xml(root: _Element) -> dict[str, Any]:
    """The JSON form of an XML catalogue, as far as this module reads it.

    Args:
        root: the ``catalog`` element.
    """
    node = node_from_xml(root)
    node["metadata"] = {"title": mixed_text(title) if (title := root.find("{*}metadata/{*}title")) is not None else ""}
    return node


def node_from_xml(element: _Element) -> dict[str, Any]:
    """The JSON form of a group, a control, a part or a parameter; prose is text, with what is inserted as in JSON."""
    lists = {"group": "groups", "control": "controls", "part": "parts", "param": "params"}
    node: dict[str, Any] = attributes_of(element)
    prose: list[str] = []
    for child in element.iterchildren("{*}*"):
        tag = str(child.tag).rpartition("}")[2]
        if tag in lists:
            node.setdefault(lists[tag], []).append(node_from_xml(child))
        elif tag in ("prop", "link"):
            node.setdefault(f"{tag}s", []).append(attributes_of(child))
        elif tag in ("title", "label"):
            node[tag] = mixed_text(child)
        elif tag == "select":
            node["select"] = {"how-many": child.get("how-many", ""), "choice": [mixed_text(c) for c in child]}
        elif tag in ("ul", "ol"):
            prose.extend(mixed_text(item) for item in child)
        elif tag == "blockquote":
            prose.append(node_from_xml(child)["prose"])
        elif tag == "table":
            prose.extend(" | ".join(map(mixed_text, row)) for row in child.iter("{*}tr"))
        elif tag in ("p", "pre", "h1", "h2", "h3", "h4", "h5", "h6"):
            prose.append(mixed_text(child))
    node["prose"] = "\n\n".join(prose)
    return node


def attributes_of(element: _Element) -> dict[str, Any]:
    """The attributes of an element by name."""
    return {str(key): str(value) for key, value in element.items()}


def mixed_text(element: _Element) -> str:
    """Text of mixed content, parameter insertions as in JSON."""
    parts = [element.text or ""]
    for child in element:
        is_insert = str(child.tag).endswith("}insert")
        parts.append(f"{{{{ insert: param, {child.get('id-ref')} }}}}" if is_insert else mixed_text(child))
        parts.append(child.tail or "")
    return _SPACES.sub(" ", "".join(parts)).strip()
