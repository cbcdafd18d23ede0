"""How much a reader accepts before it refuses a file."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["ReadLimits"]

_MIB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class ReadLimits:
    """Bounds that keep one hostile or broken file from taking the whole machine.

    Attributes:
        max_file_bytes: size of the file itself, bytes.
        max_expanded_bytes: size of all members of a zip based file (docx, xlsx) once unpacked, bytes.
        max_expansion_ratio: unpacked size over packed size of a zip based file, dimensionless.
        max_text_chars: length of the canonical text, code points.
        max_pages: pages of a PDF.
        max_line_chars: longest line of the canonical text, code points. Longer ones are no prose: dumps, minified
            code, encoded binaries.
        max_word_chars: longest run of the canonical text without white space, code points. The segmenter of sentences takes
            time that grows with the square of such a run.
        max_title_chars: the document's own title, code points; it stands in every record of the document.
        max_blank_chars: white space of a canonical text that is nearly all white space, code points. Less does no harm, and
            more is no document.
        max_headings: headings that the format marks. A whole title of the US Code has some 30,000 sections.
    """

    max_file_bytes: int = 256 * _MIB
    max_expanded_bytes: int = 512 * _MIB
    max_expansion_ratio: int = 200
    max_text_chars: int = 64_000_000
    max_pages: int = 10_000
    max_line_chars: int = 2_000_000
    max_word_chars: int = 200_000
    max_title_chars: int = 10_000
    max_blank_chars: int = 1_000_000
    max_headings: int = 50_000
