"""Many documents from few: the contracts, cut where a paragraph ends."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path


def documents_from(options: Namespace, folder: Path, pilot: Path, pilot_count: int) -> int:
    """Write so many documents.

    Args:
        options: ``data``, the shared material; ``documents``, how many (fewer if there is not enough); ``chars`` of each, about.
        folder: to write to; made.
        pilot: for some others, drawn from all over the material; made.
        pilot_count: of those.
    Returns:
        how many were written to ``folder``.
    """
    folder.mkdir(parents=True)
    pilot.mkdir(parents=True)
    written = apart = seen = 0
    for path in sorted((options.data / "contracts" / "docs").rglob("*.txt")):
        text = path.read_text(encoding="utf-8", errors="replace")
        for number, part in enumerate(_parts(text, options.chars)):
            if written == options.documents:
                return written
            seen += 1
            if apart < pilot_count and seen % 7 == 0:
                (pilot / f"{path.stem[:60]}-{number:02}.txt").write_text(part, encoding="utf-8")
                apart += 1
                continue
            (folder / f"{path.stem[:60]}-{number:02}.txt").write_text(part, encoding="utf-8")
            written += 1
    return written


def _parts(text: str, chars: int) -> list[str]:
    parts = []
    while len(text) > chars // 3:
        end = text.find("\n\n", chars)
        end = len(text) if end < 0 or end > 2 * chars else end
        parts.append(text[:end])
        text = text[end:].lstrip()
    return parts or [text]
