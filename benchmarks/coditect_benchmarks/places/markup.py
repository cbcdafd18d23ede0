"""What publishers' markup says of the nesting of provisions: USLM, Akoma Ntoso, Formex, DITA of acquisition regulations.

Sources: the United States Legislative Markup (USLM 1 and 2), OASIS LegalDocML (Akoma Ntoso 3.0), Formex 4 of the Publications
Office of the European Union, the DITA files of the General Services Administration.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from lxml import etree

from coditect_benchmarks.places.provisions import Provision, bare

__all__ = ["akoma", "dita", "formex", "uslm"]

_PARSER = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=True, recover=True)
_ASIDE = frozenset(
    [
        "num",
        "heading",
        "sidenote",
        "footnote",
        "editorialNote",
        "note",
        "notes",
        "sourceCredit",
        "toc",
        "NO.PARAG",
        "TI.ART",
        "STI.ART",
        "NO.P",
        "NOTE",
        "page",
        "ref_note",
        "statutoryNote",
        "subheading",
        "authorialNote",
        "noteRef",
        "remark",
    ]
)
_USLM_LEVELS = frozenset(
    ["section", "subsection", "paragraph", "subparagraph", "clause", "subclause", "item", "subitem", "level"]
)
_USLM_GROUPS = frozenset(
    ["title", "subtitle", "chapter", "subchapter", "part", "subpart", "division", "subdivision", "article"]
)
_AKN_LEVELS = frozenset(
    [
        "section",
        "subsection",
        "level",
        "paragraph",
        "subparagraph",
        "article",
        "clause",
        "subclause",
        "hcontainer",
        "rule",
    ]
)
_AKN_GROUPS = frozenset(["part", "chapter", "subpart", "subchapter", "division", "title"])


def _name(element: etree._Element) -> str:
    return etree.QName(element).localname if isinstance(element.tag, str) else ""


def _words(element: etree._Element | None, leave: Iterable[str] = ()) -> str:
    """The words of an element without notes, numbers and what is named."""
    if element is None:
        return ""
    out: list[str] = []
    _collect(element, frozenset(leave), out)
    return bare("".join(out))


def _collect(element: etree._Element, leave: frozenset[str], out: list[str]) -> None:
    out.append(element.text or "")
    for child in element:
        name = _name(child)
        if name and name not in _ASIDE and name not in leave and child.get("class") != "footnoteRef":
            if name in ("p", "P", "ALINEA", "TXT"):
                out.append(" ")
            _collect(child, leave, out)
        out.append(child.tail or "")


def _child(element: etree._Element, *names: str) -> etree._Element | None:
    return next((child for child in element if _name(child) in names), None)


def _number(element: etree._Element) -> str:
    return _words(_child(element, "num"))


def _nested(
    element: etree._Element, levels: frozenset[str], groups: frozenset[str], quoted: str, before: tuple[str, ...]
) -> Provision | None:
    """A provision of USLM or Akoma Ntoso: a number, a heading, words, provisions, words."""
    name = _name(element)
    label = _number(element).strip('[]“"ø¿ ')
    heading = _words(_child(element, "heading"))
    heading = heading[:1].upper() + heading[1:]  # small capitals are print, not markup
    words: list[str] = []
    tail: list[str] = []
    parts: list[Provision] = []
    for child in element:
        kind = _name(child)
        if kind in levels or kind in groups:
            inner = _nested(child, levels, groups, quoted, before)
            parts += [inner] if inner is not None else []
        elif kind in before or kind in ("continuation", "wrapUp", "alternative"):
            outermost = [
                each
                for each in child.iter()
                if each is not child and _name(each) in levels and _top(each, child, levels)
            ]
            inside = [(_nested(each, levels, groups, quoted, before), _is_within(each, quoted)) for each in outermost]
            inner_parts = [_quoted(part) if is_quoted else part for part, is_quoted in inside if part is not None]
            said = _words(child, levels)
            (tail if parts else words).extend([said] if said else [])
            parts += inner_parts
    is_group = name in groups
    if is_group and re.fullmatch(r"\d+[A-Z]?|[IVXLC]+|[A-Z]", label):
        label = f"{name.capitalize()} {label}"
    is_sure = element.find(f".//{{*}}{quoted}") is None
    if not (label or heading or words or parts):
        return None
    return Provision(
        label,
        heading,
        tuple(words),
        tuple(parts),
        tuple(tail),
        is_cited=not is_group and bool(label),
        is_whole=name in ("section", "article", "rule") and bool(label),
        is_sure=is_sure or is_group or bool(parts),
    )


def _is_within(element: etree._Element, name: str) -> bool:
    return next(element.iterancestors(f"{{*}}{name}"), None) is not None


def _quoted(part: Provision) -> Provision:
    """A provision that an amendment quotes: it is printed, and no place of the amending text."""
    inner = tuple(_quoted(each) for each in part.parts)
    return replace(part, label=f"“{part.label.lstrip('“')}", parts=inner, is_sure=False)


def _top(element: etree._Element, above: etree._Element, levels: frozenset[str]) -> bool:
    parent = element.getparent()
    while parent is not None and parent is not above:
        if _name(parent) in levels:
            return False
        parent = parent.getparent()
    return True


def _roots(root: etree._Element, names: frozenset[str]) -> Iterator[etree._Element]:
    """The outermost elements of some names."""
    for child in root:
        if _name(child) in names:
            yield child
        elif _name(child) not in ("quotedContent", "quotedStructure", "toc", "meta", "preface", "coverPage"):
            yield from _roots(child, names)


def uslm(data: bytes) -> tuple[Provision, ...]:
    """The sections of a text in USLM, with the titles and chapters around them."""
    root = etree.fromstring(data, _PARSER)
    main = next((each for each in root.iter() if _name(each) in ("main", "body", "legis-body")), root)
    found = [
        _nested(each, _USLM_LEVELS, _USLM_GROUPS, "quotedContent", ("content", "chapeau", "p", "text"))
        for each in _roots(main, _USLM_LEVELS | _USLM_GROUPS)
    ]
    return tuple(each for each in found if each is not None)


def akoma(data: bytes) -> tuple[Provision, ...]:
    """The sections of a text in Akoma Ntoso, with the parts around them; schedules number anew."""
    root = etree.fromstring(data, _PARSER)
    body = next((each for each in root.iter() if _name(each) in ("body", "mainBody")), root)
    found = [
        _nested(each, _AKN_LEVELS, _AKN_GROUPS, "quotedStructure", ("content", "intro", "p"))
        for each in _roots(body, _AKN_LEVELS | _AKN_GROUPS)
    ]
    return tuple(each for each in found if each is not None)


def formex(data: bytes) -> tuple[Provision, ...]:
    """The articles of an act in Formex, with the divisions around them; recitals stand before, and are not asked for."""
    root = etree.fromstring(data, _PARSER)
    recitals = tuple(
        Provision(_words(_child(np, "NO.P")), "", (_words(np),), is_sure=False)
        for each in root.iter("CONSID")
        if (np := each.find(".//NP")) is not None
    )
    return (*recitals, *_enacting(next(root.iter("ENACTING.TERMS"), root)))


def _enacting(element: etree._Element) -> tuple[Provision, ...]:
    found: list[Provision] = []
    for child in element:
        if child.tag == "DIVISION":
            title = child.find("TITLE")
            label = _words(title.find("TI")) if title is not None and title.find("TI") is not None else ""
            heading = _words(title.find("STI")) if title is not None and title.find("STI") is not None else ""
            found.append(Provision(label, heading, (), _enacting(child), is_cited=False))
        elif child.tag == "ARTICLE":
            found.append(_article(child))
    return tuple(found)


def _article(element: etree._Element) -> Provision:
    parts: list[Provision] = []
    words: list[str] = []
    for child in element:
        if child.tag == "PARAG":
            said, inside, tail = _alineas(child)
            parts.append(Provision(_words(child.find("NO.PARAG")), "", said, inside, tail))
        elif child.tag == "ALINEA":
            said, inside, tail = _alinea(child)
            words += [*said, *tail] if not inside else said
            parts += inside
    return Provision(
        _words(element.find("TI.ART")), _words(element.find("STI.ART")), tuple(words), tuple(parts), is_whole=True
    )


def _alineas(element: etree._Element) -> tuple[tuple[str, ...], tuple[Provision, ...], tuple[str, ...]]:
    words: list[str] = []
    parts: list[Provision] = []
    tail: list[str] = []
    for child in element:
        if child.tag in ("ALINEA", "TXT", "P"):
            said, inside, behind = _alinea(child)
            (tail if parts else words).extend(said)
            if parts and inside:  # a second list of a paragraph numbers anew; nothing tells it from the first
                inside = tuple(replace(each, is_sure=False) for each in inside)
            parts += inside
            tail += behind
        elif child.tag == "LIST":
            parts += _items(child)
    return tuple(words), tuple(parts), tuple(tail)


def _alinea(element: etree._Element) -> tuple[tuple[str, ...], tuple[Provision, ...], tuple[str, ...]]:
    if not any(child.tag in ("P", "LIST") for child in element):
        said = _words(element)
        return ((said,) if said else ()), (), ()
    words: list[str] = []
    parts: list[Provision] = []
    tail: list[str] = []
    for child in element:
        if child.tag == "LIST":
            parts += _items(child)
        elif child.tag == "P":
            nested = child.find("LIST")
            said = _words(child, ("LIST",))
            (tail if parts else words).extend([said] if said else [])
            parts += _items(nested) if nested is not None else ()
    return tuple(words), tuple(parts), tuple(tail)


def _items(element: etree._Element) -> tuple[Provision, ...]:
    found = []
    for item in element.iterchildren("ITEM"):
        np = item.find("NP")
        if np is None:
            continue
        said, inside, tail = _alineas(np)
        found.append(Provision(_words(np.find("NO.P")), "", said, inside, tail))
    return tuple(found)


_LABELS = re.compile(r"((?:\(\w{1,5}\))+)\s*")
_SIGNS = (r"[a-z]{1,2}", r"\d{1,3}", r"[ivxl]{1,7}", r"[A-Z]{1,2}", r"\d{1,3}", r"[ivxl]{1,7}")


def dita(data: bytes) -> Provision | None:
    """A section of an acquisition regulation: "204.7303 Procedures", with paragraphs whose class is their depth, or nested lists.

    None where a paragraph's label is none of its depth: there the markup tells nothing.
    """
    root = etree.fromstring(data, _PARSER)
    concept = next((each for each in root.iter() if _name(each) in ("concept", "topic")), None)
    if concept is None or (title := _child(concept, "title")) is None:
        return None
    number = next((_words(each) for each in title.iter() if each.get("props") == "autonumber"), "")
    heading = _words(title).removeprefix(number).strip()
    body = _child(concept, "conbody", "body")
    if body is None or not re.fullmatch(r"\d{3}\.\d[\w.-]*", number):
        return None
    rows = list(_rows(body, 0))
    if any(label and not re.fullmatch(_SIGNS[min(depth, len(_SIGNS)) - 1], label) for depth, label, _ in rows):
        return None
    words, parts = _stacked(rows)
    return Provision(number, heading, words, parts, is_whole=True)


def _rows(element: etree._Element, depth: int) -> Iterator[tuple[int, str, str]]:
    """Depth, label and words of each paragraph; of "(a)(1)" each label for itself."""
    for child in element:
        kind = _name(child)
        if kind in ("ol", "ul"):
            yield from _rows(child, depth + 1)
        elif kind == "li":
            yield from _rows(child, depth)
        elif kind == "p":
            marked = re.fullmatch(r"List(\d)", child.get("outputclass", ""))
            said = _words(child)
            labels = _LABELS.match(said)
            own = int(marked[1]) if marked else depth
            if labels is None or own == 0:
                yield 0, "", said
                continue
            each = re.findall(r"\w+", labels[1])
            for at, label in enumerate(each):
                yield own + at, label, said[labels.end() :] if at == len(each) - 1 else ""


def _stacked(rows: list[tuple[int, str, str]]) -> tuple[tuple[str, ...], tuple[Provision, ...]]:
    words: list[str] = []
    at = 0
    while at < len(rows) and rows[at][0] == 0:
        words.append(rows[at][2])
        at += 1
    return tuple(each for each in words if each), _inside(rows[at:], 1)


def _inside(rows: list[tuple[int, str, str]], depth: int) -> tuple[Provision, ...]:
    starts = [at for at, row in enumerate(rows) if row[0] == depth]
    ahead = rows[: starts[0]] if starts else rows  # deeper than the markup has anything for
    found = [Provision(f"({row[1]})" if row[1] else "", "", (row[2],), is_sure=False) for row in ahead if row[2]]
    for start, end in zip(starts, [*starts[1:], len(rows)][: len(starts)], strict=True):
        _, label, said = rows[start]
        inner = rows[start + 1 : end]
        loose = next((at for at, row in enumerate(inner) if row[0] == 0), len(inner))
        parts = _inside(inner[:loose], depth + 1)
        found.append(Provision(f"({label})", "", (said,) if said else (), parts))
        # a paragraph without a label behind items, and what is inside of it, may belong to any of those above
        for row in inner[loose:]:
            found.append(Provision(f"({row[1]})" if row[1] else "", "", (row[2],) if row[2] else (), is_sure=False))
    return tuple(found)
