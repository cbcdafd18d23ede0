"""Hostile HTML, Markdown and XML."""

from __future__ import annotations

from tests.hostile.kinds import Kind

__all__ = ["HTML_KINDS", "MARKDOWN_KINDS", "XML_KINDS"]

_DUTY = b"<p>The clerk shall sign the form within 3 days.</p>"
_SENTENCE = b"The clerk shall sign the form within 3 days.\n\n"
_MILLION = 1_000_000


def _page(body: bytes) -> bytes:
    return b"<!doctype html><html><head><title>Form</title></head><body>" + _DUTY + body + _DUTY + b"</body></html>"


def _attributes(count: int) -> bytes:
    return b" ".join(b"a%d=x" % k for k in range(count))


def _root(attributes: str, count: int) -> bytes:
    """An element with numbered attributes."""
    return b"<r " + b" ".join((attributes % k).encode() for k in range(count)) + b">shall</r>"


def _laughs(levels: int) -> bytes:
    """Entities that each name the one before ten times."""
    made = ['<!ENTITY e0 "ha">', *(f'<!ENTITY e{k} "{f"&e{k - 1};" * 10}">' for k in range(1, levels))]
    return f"<?xml version='1.0'?><!DOCTYPE r [{''.join(made)}]><r>&e{levels - 1};</r>".encode()


def _long_entity(size: int) -> bytes:
    """One long entity that is named often: quadratic in the file."""
    return b"<?xml version='1.0'?><!DOCTYPE r [<!ENTITY e \"" + b"ha " * size + b'">]><r>' + b"&e;" * size + b"</r>"


def _growing_backticks(count: int) -> bytes:
    """Code spans that are never closed, each opened by one more backtick than the last."""
    return b" ".join(b"`" * k for k in range(1, count))


HTML_KINDS = (
    Kind("html-attributes", ".html", lambda n: _page(b"<p " + _attributes(n) + b">x</p>"), 3_000, (100_000, _MILLION)),
    Kind("html-nested-blocks", ".html", lambda n: _page(b"<div>" * n + b"x" + b"</div>" * n), 3_000, (9_000, _MILLION)),
    Kind("html-open-formats", ".html", lambda n: _page(b"<b><i><u>" * n + b"x"), 1_000, (3_000, 300_000)),
    Kind("html-misnested", ".html", lambda n: _page(b"<a><p><b></a></p>x" * n), 500, (100_000,)),
    Kind("html-nested-tables", ".html", lambda n: _page(b"<table><tr><td>x" * n), 300, (2_000, 200_000)),
    Kind("html-nested-lists", ".html", lambda n: _page(b"<ol><li>x" * n), 500, (3_000, 200_000)),
    Kind(
        "html-references",
        ".html",
        lambda n: _page(b"&CounterClockwiseContourIntegral;&#x10FFFF;" * n),
        1_000,
        (500_000,),
    ),
    Kind("html-title", ".html", lambda n: b"<title>" + b"Form " * n + b"</title>" + _DUTY, 10_000, (_MILLION,)),
    Kind("html-open-comment", ".html", lambda n: _page(b"<!--" * n), 5_000, (5 * _MILLION,)),
    Kind("html-half-tags", ".html", lambda n: _page(b"<" * n), 5_000, (5 * _MILLION,)),
    Kind("html-breaks", ".html", lambda n: _page(b"<br>" * n), 3_000, (3 * _MILLION,)),
    Kind("html-columns", ".html", lambda n: _page(b"<table><tr>" + b"<td>x" * n + b"</table>"), 2_000, (_MILLION,)),
    Kind("html-charsets", ".html", lambda n: b"<meta charset=" + b"x" * n + b">" + _page(b""), 5_000, (_MILLION,)),
)

MARKDOWN_KINDS = (
    Kind("markdown-headings", ".md", lambda n: b"# shall\n\n" * n, 300, (60_000, _MILLION)),
    Kind("markdown-brackets", ".md", lambda n: _SENTENCE + b"[" * n, 2_000, (200_000, 900_000)),
    Kind("markdown-images", ".md", lambda n: _SENTENCE + b"![[](" * n, 500, (20_000, 180_000)),
    Kind("markdown-emphasis", ".md", lambda n: _SENTENCE + b"*a **b _c __d " * n, 200, (20_000, 60_000)),
    Kind("markdown-backticks", ".md", lambda n: _SENTENCE + _growing_backticks(n), 100, (1_000,)),
    Kind("markdown-quotes", ".md", lambda n: _SENTENCE + b"> " * n + b"shall\n", 2_000, (400_000,)),
    Kind("markdown-lists", ".md", lambda n: _SENTENCE + b"- " * n + b"shall\n", 2_000, (400_000,)),
    Kind(
        "markdown-list-steps", ".md", lambda n: b"".join(b" " * (2 * k) + b"- shall\n" for k in range(n)), 60, (2_000,)
    ),
    Kind(
        "markdown-columns",
        ".md",
        lambda n: b"|a" * n + b"\n" + b"|-" * n + b"\n" + b"|must" * n + b"\n",
        1_000,
        (180_000,),
    ),
    Kind(
        "markdown-links",
        ".md",
        lambda n: b"".join(b"[a%d]: /u\n" % k for k in range(n)) + b"\nshall\n",
        500,
        (300_000,),
    ),
    Kind("markdown-html", ".md", lambda n: _SENTENCE + b"<a <a\n" * n, 500, (200_000,)),
    Kind("markdown-front-matter", ".md", lambda n: b"---\na: b\n" * n + b"shall\n", 500, (_MILLION,)),
)

XML_KINDS = (
    Kind("xml-laughs", ".xml", _laughs, 9, (30,), refused=True),
    Kind("xml-long-entity", ".xml", _long_entity, 2_000, (200_000,), refused=True),
    Kind(
        "xml-outside",
        ".xml",
        lambda _: b'<?xml version="1.0"?><!DOCTYPE r [<!ENTITY e SYSTEM "file:///etc/passwd">]><r>&e;</r>',
        1,
        (1,),
        refused=True,
    ),
    Kind("xml-nested", ".xml", lambda n: b"<a>" * n + b"shall" + b"</a>" * n, 200, (255, _MILLION)),
    Kind("xml-attributes", ".xml", lambda n: _root('a%d="x"', n), 1_000, (_MILLION,)),
    Kind("xml-elements", ".xml", lambda n: b"<r>" + b"<a>shall</a>" * n + b"</r>", 500, (_MILLION,)),
    Kind("xml-namespaces", ".xml", lambda n: _root('xmlns:a%d="u"', n), 1_000, (300_000,)),
)
