"""One corpus of a server: what it answers, and what is changed in it."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, BinaryIO

from coditect.client.jobs import JobStatus
from coditect.client.reading import RemoteReading
from coditect.errors import UsageError
from coditect.schemas import CrosswalkLabel, CrosswalkRow, Decision, Review

__all__ = ["RemoteCorpus"]


class RemoteCorpus(RemoteReading):
    """A corpus of a server, made by :meth:`coditect.client.Client.corpus`. Safe for threads.

    ``as_of`` is a generation, None the current one; ``today`` a day, None the server's. Changes take a ``key``: the same key asks
    for the same change once, also over restarts; None makes one for each call, that its retries share. See also ``content_key``.
    """

    def review(
        self,
        item_id: str,
        *,
        decision: Decision,
        meaning: str,
        changes: Mapping[str, Any] | None = None,
        until: str | None = None,
        key: str | None = None,
    ) -> Review:
        """Decide of a claim or an extraction, in the name of the token; unsigned. As :meth:`coditect.Knowledge.review`."""
        body = {"item_id": item_id, "decision": decision, "meaning": meaning, "changes": changes, "until": until}
        answered = self._wire.post(f"{self._root}/reviews", lambda: {"json": body}, key or _new_key())
        return Review.model_validate_json(answered)

    def review_row(
        self,
        row: CrosswalkRow,
        *,
        frameworks: Sequence[str] = (),
        framework_corpus: str | None = None,
        columns: str | None = None,
        decision: Decision,
        meaning: str,
        label: CrosswalkLabel | None = None,
        until: str | None = None,
        key: str | None = None,
    ) -> Review:
        """Decide of a row of a crosswalk, in the name of the token; unsigned. As :meth:`coditect.Knowledge.review_row`.

        Args:
            row: as :meth:`crosswalk` has it; the server makes the crosswalk anew, and decides of the row as it is there now.
            frameworks: as the crosswalk was asked for.
            framework_corpus: as the crosswalk was asked for.
            columns: as the crosswalk was asked for.
            decision: "accept", "dismiss", "correct", "accept_risk", or "withdraw".
            meaning: what the signature means: the reason.
            label: of a correction: what the row is.
            until: of an accepted risk: the last day on which it is accepted.
            key: see the class.

        Raises:
            NotFound: the crosswalk has no such row any more.
            UsageError: the decision cannot be made of the row, or no framework is named.
        """
        body = {
            "frameworks": list(frameworks), "framework_corpus": framework_corpus, "columns": columns, "document": row.document,
            "part_id": row.part_id, "decision": decision, "label": label, "meaning": meaning, "until": until,
        }  # fmt: skip
        answered = self._wire.post(f"{self._root}/crosswalk/reviews", lambda: {"json": body}, key or _new_key())
        return Review.model_validate_json(answered)

    def ingest(self, files: Mapping[str, Path | str] | Sequence[Path | str], *, key: str | None = None) -> JobStatus:
        """Take files in, as a job; they are sent piece by piece, whatever their size.

        Args:
            files: by their paths in the corpus; a sequence: by their names alone.
            key: see the class.

        Raises:
            UsageError: there are none, two have one name, or one cannot be read.
        """
        places = [Path(each) for each in (files.values() if isinstance(files, Mapping) else files)]
        named = dict(zip(files if isinstance(files, Mapping) else [each.name for each in places], places, strict=True))
        if not named or len(named) != len(files):
            raise UsageError("an upload has some files, each with a name of its own", count=len(files))
        shown = key or _new_key()
        with ExitStack() as stack:
            opened = [stack.enter_context(_opened(place)) for place in named.values()]

            def body() -> dict[str, Any]:
                for each in opened:
                    each.seek(0)
                parts = [("files", (name.rpartition("/")[2], file)) for name, file in zip(named, opened, strict=True)]
                return {"files": parts, "data": {"name": list(named)}}

            return _job(self._wire.post(f"{self._root}/documents", body, shown))

    def build(self, *, key: str | None = None, **settings: Any) -> JobStatus:  # noqa: ANN401 - as the API names them
        """Bring the tiers up to date with the documents, as a job.

        Args:
            key: see the class.
            settings: by the API's names: topics, max_topics, max_synthesis_ratio, minimum_support, today.
        """
        return self._start("builds", settings, key)

    def validate(self, *, key: str | None = None) -> JobStatus:
        """Re-read the corpus and check everything that it promises, as a job."""
        return self._start("validations", None, key)

    def export(self, *, key: str | None = None) -> JobStatus:
        """Write the corpus with all its generations as one archive, as a job whose file is it."""
        return self._start("exports", None, key)

    def crosswalk_job(self, *, key: str | None = None, **asked: Any) -> JobStatus:  # noqa: ANN401 - as the API names them
        """Compare with a framework, as a job whose file is the crosswalk.

        Args:
            key: see the class.
            asked: by the API's names: frameworks, framework_corpus, columns, documents, as_of, format.
        """
        return self._start("crosswalks", asked, key)

    def _start(self, what: str, body: Mapping[str, Any] | None, key: str | None) -> JobStatus:
        given: dict[str, Any] = {} if body is None else {"json": dict(body)}
        return _job(self._wire.post(f"{self._root}/{what}", lambda: given, key or _new_key()))


def _opened(place: Path) -> BinaryIO:
    try:
        return place.open("rb")
    except OSError as error:
        raise UsageError(
            "a file cannot be read", file=str(place), reason=error.strerror, hint="Nothing was sent."
        ) from error


def _new_key() -> str:
    return uuid.uuid4().hex


def _job(answered: bytes) -> JobStatus:
    return JobStatus.model_validate_json(answered)
