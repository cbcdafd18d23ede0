"""All kinds of hostile files."""

from __future__ import annotations

from tests.hostile.markup import HTML_KINDS, MARKDOWN_KINDS, XML_KINDS
from tests.hostile.office import OFFICE_KINDS
from tests.hostile.pdfs import PDF_KINDS
from tests.hostile.plain_files import JSON_KINDS, MAIL_KINDS, TABLE_KINDS, TEXT_KINDS

__all__ = ["KINDS"]

KINDS = (
    *TEXT_KINDS,
    *TABLE_KINDS,
    *JSON_KINDS,
    *MAIL_KINDS,
    *HTML_KINDS,
    *MARKDOWN_KINDS,
    *XML_KINDS,
    *OFFICE_KINDS,
    *PDF_KINDS,
)
