"""Mails: what people read of them is the text, whatever it travels in."""

from __future__ import annotations

from email.message import EmailMessage

import pytest

from coditect.documents.readers import read_source
from coditect.errors import ReadError

NESTED = b"--a\nContent-Type: multipart/mixed; boundary=a\n\n"


def _mail(body: str = "The vendor must notify us within 24 hours. Café rules apply.\n\nRegards\n") -> EmailMessage:
    mail = EmailMessage()
    mail["Subject"] = "Zürich incident"
    mail["From"] = "Ann <ann@example.org>"
    mail["Date"] = "Mon, 23 Nov 2026 09:00:00 +0000"
    mail.set_content(body, cte="quoted-printable")
    return mail


def test_mail_is_its_subject_its_header_and_its_body() -> None:
    """Encoded words and quoted-printable are characters; the subject is the title and a heading."""
    source = read_source(bytes(_mail()), "mails/incident.eml")
    assert source.title == "Zürich incident"
    assert source.text.split("\n\n")[:4] == [
        "Zürich incident",
        "From: Ann <ann@example.org>",
        "Date: Mon, 23 Nov 2026 09:00:00 +0000",
        "The vendor must notify us within 24 hours. Café rules apply.",
    ]
    assert [(each.kind, source.text[each.start : each.end]) for each in source.blocks][:2] == [
        ("heading", "Zürich incident"),
        ("paragraph", "From: Ann <ann@example.org>"),
    ]
    assert source.media_type == "message/rfc822"


def test_of_two_forms_of_a_body_one_is_read() -> None:
    """The plain one; the HTML where there is no other, with its tables and without its tags."""
    both = _mail()
    both.add_alternative("<p>The vendor must notify us within <b>24 hours</b>.</p>", subtype="html")
    assert read_source(bytes(both), "a.eml").text.count("24 hours") == 1
    html = _mail()
    html.set_content("<p>Pay <b>soon</b>.</p><table><tr><td>1</td><td>2</td></tr></table>", subtype="html")
    source = read_source(bytes(html), "a.eml")
    assert source.text.endswith("Pay soon.\n\n1 | 2")
    last = source.blocks[-1]
    assert (last.kind, source.text[last.start : last.end]) == ("table_row", "1 | 2")


def test_what_is_attached_is_named_and_not_read() -> None:
    """A warning for each file, as the intake tells losses."""
    mail = _mail()
    mail.add_attachment(b"%PDF-", maintype="application", subtype="pdf", filename="Vertrag – neu.pdf")
    (warning,) = read_source(bytes(mail), "a.eml").warnings
    assert "Vertrag – neu.pdf" in warning


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (b"hello world\n", "no header"),
        (b"Subject: x\n\n", "only white space"),
        (
            b"Subject: x\nContent-Type: multipart/mixed; boundary=a\n\n--a\nContent-Type: image/png\n\nx\n--a--\n",
            "no text",
        ),
        (b"Subject: x\nContent-Type: multipart/mixed; boundary=a\n\n" + NESTED * 2000, "no text"),
    ],
)
def test_mail_without_text_is_refused_with_the_way_out(raw: bytes, words: str) -> None:
    """Neither an empty body nor nested parts without end make a document."""
    with pytest.raises(ReadError, match=words) as caught:
        read_source(raw, "a.eml")
    assert caught.value.hint
