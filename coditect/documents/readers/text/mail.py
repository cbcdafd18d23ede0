"""Mail as it lies in a file (RFC 5322, MIME): subject, who, to whom and when, then the body as people read it.

Of a body in two forms the plain one is read, else the HTML. What is attached is named and not read: a file of its own is cited by
its own name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from email import policy
from email.message import EmailMessage
from email.parser import BytesParser

from coditect.documents.readers.canonical import canonicalize, decode
from coditect.documents.readers.failures import LIBRARY_FAILURES, broken
from coditect.documents.readers.limits import ReadLimits
from coditect.documents.source import Block, SourceText
from coditect.errors import ReadError

__all__ = ["read"]

_FIELDS = ("From", "To", "Cc", "Date")
_READER = "mail/1"
_MOST_PARTS = 1_000
_MOST_NAMED = 20
"""Parts of a mail that are walked through, and attachments that are named, at most."""

MOST_FIELD_BYTES, MOST_PART_FIELD_BYTES = 64 * 1024, 4 * 1024
"""Longer fields of a header, or of what says what a part is, are no mail's: the library takes time that grows with their square."""

_FIELD = re.compile(rb"^[!-9;-~]{1,76}:[^\n]*(?:\n[ \t][^\n]*)*", re.MULTILINE)
_FIELD_OF_PART = re.compile(rb"^content-[a-z-]{1,30}:[^\n]*(?:\n[ \t][^\n]*)*", re.MULTILINE | re.IGNORECASE)


def read(raw: bytes, name: str, limits: ReadLimits) -> SourceText:
    """Read a mail.

    Args:
        raw: the bytes of the file.
        name: its relative name.
        limits: the bounds on what is read.

    Raises:
        ReadError: not a mail, or one without a body.
    """
    if _has_endless_field(raw):
        raise ReadError(
            "a field of the mail's header is too long",
            hint="Export it again as .eml, or save its text as a file of its own.",
            name=name,
            limit_bytes=MOST_FIELD_BYTES,
        )
    try:
        message = BytesParser(EmailMessage, policy=policy.default.clone(raise_on_defect=False)).parsebytes(raw)
        head = [(key, _field(message, key)) for key in ("Subject", *_FIELDS)]
        if not any(value for _, value in head):
            raise ReadError(
                "the mail has no header",
                hint="Export it again as .eml, or give the file the suffix of its real format.",
                name=name,
            )
        body = _body(message, name, limits)
        attached = list(_attached(message))
    except ReadError:
        raise
    except LIBRARY_FAILURES as error:
        raise broken("the mail is damaged", name, error, "Export it again from its program.") from error
    return _joined(dict(head), body, attached)


def _has_endless_field(raw: bytes) -> bool:
    """Whether a field of the header, or one that says what a part is, is longer than any mail's."""
    head = re.split(rb"\r?\n\r?\n", raw, maxsplit=1)[0]
    bounds = ((_FIELD.finditer(head), MOST_FIELD_BYTES), (_FIELD_OF_PART.finditer(raw), MOST_PART_FIELD_BYTES))
    return any(each.end() - each.start() > most for fields, most in bounds for each in fields)


def _field(message: EmailMessage, key: str) -> str:
    """A field of the header in plain characters, on one line."""
    return " ".join(canonicalize(str(message.get(key, ""))).split())


def _body(message: EmailMessage, name: str, limits: ReadLimits) -> SourceText:
    part = message.get_body(("plain", "html")) if message.is_multipart() else message
    if part is None:
        raise ReadError(
            "the mail has no text",
            hint="Save what is attached to it as files of their own, and take these in.",
            name=name,
        )
    payload = part.get_payload(decode=True)
    raw = payload if isinstance(payload, bytes) else b""
    text, warnings = decode(raw, name, part.get_content_charset() or "")
    if part.get_content_subtype() == "html":
        from coditect.documents.readers.html import reader as html

        return html.read(text.encode(), name, limits)
    from coditect.documents.readers.text import plain

    return replace(plain.read(text.encode(), name, limits), warnings=warnings)


def _attached(message: EmailMessage) -> Iterator[str]:
    """What is said of files that hang on a mail."""
    for number, part in enumerate(message.walk()):
        if number >= _MOST_PARTS:
            break
        if part.get_content_disposition() == "attachment" or part.get_filename():
            called = " ".join(canonicalize(part.get_filename() or "without a name").split())[:100]
            yield f"attachment “{called}” ({part.get_content_type()}) is not read; save it as a file of its own"


def _joined(head: dict[str, str], body: SourceText, attached: list[str]) -> SourceText:
    """The header as a heading and a line for each field, and the body behind it."""
    lines = [head["Subject"]] if head["Subject"] else []
    lines += [f"{key}: {head[key]}" for key in _FIELDS if head[key]]
    blocks, at = [], 0
    for number, line in enumerate(lines):
        is_title = number == 0 and bool(head["Subject"])
        blocks.append(Block(at, at + len(line), "heading" if is_title else "paragraph", int(is_title)))
        at += len(line) + 2
    front = "\n\n".join(lines) + "\n\n"
    blocks += [replace(each, start=each.start + len(front), end=each.end + len(front)) for each in body.blocks]
    more = [f"{len(attached) - _MOST_NAMED} more attachments are not read"] if len(attached) > _MOST_NAMED else []
    return SourceText(
        text=front + body.text,
        media_type="message/rfc822",
        title=head["Subject"],
        blocks=tuple(blocks),
        reader=f"{_READER} {body.reader}",
        warnings=(*body.warnings, *attached[:_MOST_NAMED], *more),
    )
