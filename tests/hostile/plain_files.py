"""Hostile text, tables and JSON."""

from __future__ import annotations

import json
import random

from tests.hostile.kinds import Kind

__all__ = ["JSON_KINDS", "MAIL_KINDS", "TABLE_KINDS", "TEXT_KINDS"]

_DUTY = b"The clerk shall sign the form within 3 days.\n"
_MILLION = 1_000_000


def _around(middle: bytes) -> bytes:
    """Something between two sentences that are worth reading."""
    return _DUTY + middle + b"\n" + _DUTY


def _noise(size: int) -> bytes:
    return random.Random(size).randbytes(size)  # noqa: S311 - not a secret


def _long_key_paths(depth: int) -> bytes:
    """An object in an object, each with a value of its own: the paths of the values are quadratic in the depth."""
    node: object = {"leaf": "shall"}
    for level in range(depth):
        node = {f"{'k' * 200}{level}": node, "v": "shall"}
    return json.dumps(node).encode()


def _oscal_choices(width: int) -> bytes:
    """Parameters whose choices insert the next parameter again and again: text that grows with width to the fifth power."""
    parameters = [
        {"id": f"p{level}", "select": {"choice": [f"{{{{ insert: param, p{level + 1} }}}}"] * width}}
        for level in range(6)
    ]
    control = {
        "id": "c1",
        "title": "Control",
        "parts": [{"name": "statement", "prose": "The clerk shall {{ insert: param, p0 }}."}],
    }
    return json.dumps({"catalog": {"metadata": {"title": "T"}, "params": parameters, "controls": [control]}}).encode()


TEXT_KINDS = (
    Kind("text-blank-lines", ".txt", lambda n: _around(b"\n" * n), 20_000, (200_000, 5 * _MILLION, 60 * _MILLION)),
    Kind("text-spaces", ".txt", lambda n: _around(b" " * n), 20_000, (_MILLION, 60 * _MILLION)),
    Kind("text-tabs", ".txt", lambda n: _around(b"\t" * n), 20_000, (_MILLION, 60 * _MILLION)),
    Kind("text-form-feeds", ".txt", lambda n: _around(b"\f \r\n\v" * n), 5_000, (_MILLION,)),
    Kind("text-no-break-spaces", ".txt", lambda n: _around("\xa0\u2003".encode() * n), 5_000, (_MILLION,)),
    Kind("text-one-word", ".txt", lambda n: _around(b"a" * n), 20_000, (_MILLION, 1_900_000, 60 * _MILLION)),
    Kind("text-one-line", ".txt", lambda n: _around(b"the word is " * n), 2_000, (100_000, 800_000)),
    Kind("text-combining-marks", ".txt", lambda n: _around(b"a" + "\u0301\u0323".encode() * n), 5_000, (_MILLION,)),
    Kind("text-brackets", ".txt", lambda n: _around(b"(" * n + b")" * n), 5_000, (_MILLION,)),
    Kind("text-quotes", ".txt", lambda n: _around("“\"'".encode() * n + b" means a form."), 3_000, (300_000,)),
    Kind(
        "text-labels", ".txt", lambda n: b"".join(b"(%d) the clerk shall sign.\n" % k for k in range(n)), 300, (50_000,)
    ),
    Kind("text-deep-labels", ".txt", lambda n: _around(b"1.1.1.1.1.1.1 " * n), 2_000, (300_000,)),
    Kind(
        "text-digits",
        ".txt",
        lambda n: _around(b"The clerk shall pay USD " + b"9" * n + b" in cash."),
        20_000,
        (_MILLION,),
    ),
    Kind(
        "text-references",
        ".txt",
        lambda n: _around(b"Under " + b"Section 4(a) and " * n + b"he shall go."),
        500,
        (60_000,),
    ),
    Kind(
        "text-conditions",
        ".txt",
        lambda n: _around(b"The clerk shall, " + b"unless if not, " * n + b"sign."),
        500,
        (60_000,),
    ),
    Kind("text-abbreviations", ".txt", lambda n: _around(b"U.S.C. No. e.g. " * n), 1_000, (200_000,)),
    Kind("text-dots", ".txt", lambda n: _around(b"Contents " + b". " * n + b"7"), 10_000, (_MILLION,)),
    Kind("text-directions", ".txt", lambda n: _around("\u202e\u2066sign\u2069\u202c".encode() * n), 2_000, (300_000,)),
    Kind("text-capitals", ".txt", lambda n: b"".join(b"ARTICLE OF THE %d\n\n" % k for k in range(n)), 300, (60_000,)),
    Kind("text-noise", ".txt", _noise, 20_000, (_MILLION,), refused=True),
    Kind("text-nothing", ".txt", lambda n: b" \n\t" * n, 5_000, (20 * _MILLION,), refused=True),
    Kind("text-utf16-half", ".txt", lambda n: b"\xff\xfe" + b"\x00\xd8" * n, 5_000, (5 * _MILLION,)),
)

TABLE_KINDS = (
    Kind(
        "table-columns",
        ".csv",
        lambda n: b",".join(b"name%d" % k for k in range(n)) + b"\n" + b",".join(b"must%d" % k for k in range(n)),
        1_000,
        (100_000, _MILLION),
    ),
    Kind("table-rows", ".csv", lambda n: b"duty,owner\n" + b"sign,clerk\n" * n, 300, (200_000, 5 * _MILLION)),
    Kind("table-delimiters", ".csv", lambda n: b"a,b\n" + b"," * n + b"\nc,d\n", 20_000, (20 * _MILLION,)),
    Kind("table-quotes", ".csv", lambda n: b"a,b\n" + b'"' * n + b"\nc,d\n", 20_001, (20 * _MILLION,)),
    Kind("table-open-quote", ".csv", lambda n: b'a,b\n"' + b"c,d\n" * n, 2_000, (5 * _MILLION,)),
    Kind("table-empty-rows", ".tsv", lambda n: b"a\tb\n" + b"\t\n" * n + b"c\td\n", 5_000, (10 * _MILLION,)),
)

JSON_KINDS = (
    Kind("json-nested-lists", ".json", lambda n: b"[" * n + b'"shall"' + b"]" * n, 5_000, (200_000, 5 * _MILLION)),
    Kind("json-long-paths", ".json", _long_key_paths, 12, (400, 900)),
    Kind("json-keys", ".json", lambda n: json.dumps({f"k{k}": "shall" for k in range(n)}).encode(), 1_000, (_MILLION,)),
    Kind("json-number", ".json", lambda n: b'{"a": "shall", "b": ' + b"9" * n + b"}", 20_000, (20 * _MILLION,)),
    Kind("json-lines", ".jsonl", lambda n: b'{"a":"shall"}\n' * n, 1_000, (_MILLION,)),
    Kind("json-escapes", ".json", lambda n: b'["' + b"\\u0041\\ud800" * n + b'"]', 2_000, (2 * _MILLION,)),
    Kind("json-oscal-choices", ".json", _oscal_choices, 4, (12, 40)),
)


def _mail(header: bytes, body: bytes = _DUTY) -> bytes:
    return b"Subject: Forms\n" + header + b"\n\n" + body


def _nested_parts(depth: int) -> bytes:
    parts = (b'Content-Type: multipart/mixed; boundary="b%d"\n\n--b%d\n' % (n, n) for n in range(depth))
    return b"Subject: Forms\n" + b"".join(parts) + b"Content-Type: text/plain\n\n" + _DUTY


MAIL_KINDS = (
    Kind(
        "mail-endless-subject", ".eml", lambda n: b"Subject: " + b"=?utf-8?q?a?= " * n + b"\n\n" + _DUTY, 20_000, (200_000,),
        refused=True,
    ),
    Kind("mail-endless-recipients", ".eml", lambda n: _mail(b"To: " + b"a@b.example, " * n), 20_000, (200_000,), refused=True),
    Kind("mail-parameters", ".eml", lambda n: _mail(b"Content-Type: text/plain" + b';"a' * n), 20_000, (200_000,), refused=True),
    Kind("mail-comments", ".eml", lambda n: _mail(b"From: " + b"(" * n), 10_000, (60_000,)),
    Kind("mail-parts-in-parts", ".eml", _nested_parts, 500, (5_000,)),
    Kind(
        "mail-attachments", ".eml",
        lambda n: _mail(
            b'Content-Type: multipart/mixed; boundary="b"',
            b"--b\nContent-Type: text/plain\n\n" + _DUTY
            + b"--b\nContent-Type: text/plain\nContent-Disposition: attachment; filename=a.txt\n\nx\n" * n + b"--b--\n",
        ),
        500, (20_000,),
    ),
    Kind(
        "mail-of-an-unknown-charset", ".eml", lambda n: _mail(b'Content-Type: text/plain; charset="' + b"x" * n + b'"'), 20,
        (2_000,),
    ),
)  # fmt: skip
