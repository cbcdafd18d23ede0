"""Many documents from few: the contracts, cut where a paragraph ends."""

from __future__ import annotations

from pathlib import Path

PART_CHARS = 18_000


def documents_from(data: Path, folder: Path, count: int, pilot: Path, pilot_count: int) -> int:
    """Write so many documents.

    Args:
        data: the shared material.
        folder: to write to; made.
        count: of documents; fewer if there is not enough material.
        pilot: for some others, drawn from all over the material; made.
        pilot_count: of those.
    Returns:
        how many were written to ``folder``.
    """
    folder.mkdir(parents=True)
    pilot.mkdir(parents=True)
    written = apart = seen = 0
    for path in sorted((data / "contracts" / "docs").rglob("*.txt")):
        text = path.read_text(encoding="utf-8", errors="replace")
        for number, part in enumerate(_parts(text)):
            if written == count:
                return written
            seen += 1
            if apart < pilot_count and seen % 7 == 0:
                (pilot / f"{path.stem[:60]}-{number:02}.txt").write_text(part, encoding="utf-8")
                apart += 1
                continue
            (folder / f"{path.stem[:60]}-{number:02}.txt").write_text(part, encoding="utf-8")
            written += 1
    return written


def _parts(text: str) -> list[str]:
    parts = []
    while len(text) > PART_CHARS // 3:
        end = text.find("\n\n", PART_CHARS)
        end = len(text) if end < 0 or end > 2 * PART_CHARS else end
        parts.append(text[:end])
        text = text[end:].lstrip()
    return parts or [text]
