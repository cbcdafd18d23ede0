"""What leaves the store, and comes back: reports, evidence bundles, archives."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, BinaryIO

from coditect.errors import InvalidProof, Unwritable
from coditect.knowledge.cases.base import KnowledgeBase, erasure_desk
from coditect.knowledge.progress import Progress, silent
from coditect.schemas.day import require_day
from coditect.store.view import View

if TYPE_CHECKING:
    from coditect.knowledge.archive.export import ExportReport
    from coditect.knowledge.archive.importing import ImportReport
    from coditect.knowledge.report.bundles.collection import BundleReport, BundleSubject
    from coditect.reports.model import AuditReport
    from coditect.schemas import (
        ValidationReport,
    )

# What only some use cases need is imported where it is used: a question need not wait for what a build loads.

__all__ = ["GivingCases"]


class GivingCases(KnowledgeBase):
    """Reports, bundles and archives."""

    def report(
        self,
        corpus_id: str,
        *,
        as_of: int | None = None,
        validation: ValidationReport | None = None,
        today: str | None = None,
    ) -> AuditReport:
        """The audit report of a generation; :func:`coditect.render_html` makes a page of it.

        Args:
            corpus_id: the corpus.
            as_of: the generation; None is the current one.
            validation: what :meth:`validate` found of the same generation, to be printed in the report.
            today: the day against which the list of documents holds their dates, YYYY-MM-DD; None asks the clock.
        Raises:
            NotFound: no such corpus or generation.
            UsageError: the validation is of another build; or there is no such day.
            QuoteNotFound: a quote is not the document's text at its offsets.
            Corrupt: a stored record or text is missing or changed.
        """
        from coditect.knowledge.report.collection import collect_report
        from coditect.knowledge.report.proof import report_proof

        require_day("today", today)
        view = self.view(corpus_id, as_of)
        self.note_read(corpus_id, "report", view.generation)
        report = collect_report(self.store, view, generated_at=self.clock(), validation=validation, today=today)
        key = None if self.log_signer is None else self.log_signer.key
        proven = report.model_copy(update={"proof": report_proof(view, self._log(), key)})
        with suppress(
            Unwritable, InvalidProof
        ):  # a store that is only read, or put back: a report is made of it all the same
            self._log_report(view, "report")
        return proven

    def prove(
        self,
        corpus_id: str,
        subject: BundleSubject,
        item: str,
        file: BinaryIO,
        *,
        as_of: int | None = None,
        sources: bool = True,
        kept: bytes | None = None,
    ) -> BundleReport:
        """Write an evidence bundle: what a third party needs to check something without this program, by ``coditect-verify``.

        Args:
            corpus_id: the corpus.
            subject: of what: a claim, a section, a document, or the report, which is all claims and sections.
            item: id of the claim or section, name or id of the document; of the report nothing.
            file: open for writing bytes.
            as_of: the generation; None is the current one.
            sources: put the bytes of the cited files in; their texts are there in any case.
            kept: a signed checkpoint that somebody keeps: the proof that the log continues it goes in.
        Returns:
            What went in.
        Raises:
            NotFound: no such item, or no signed checkpoint of the log holds the generation.
            UsageError: release 0.1.0 built the generation.
            InvalidProof: the log does not continue the checkpoint that was kept.
        """
        from coditect.knowledge.report.bundles.collection import write_bundle
        from coditect.knowledge.report.bundles.logged import SignedLog
        from coditect.transparency.checkpoints import Checkpoint
        from coditect.transparency.notes import Note

        view = self.view(corpus_id, as_of)
        with suppress(Unwritable):  # what was signed before is evidence all the same
            self.checkpoint()
        known = None if kept is None else Checkpoint.parse(Note.parse(kept).text)
        written = write_bundle(view, SignedLog(self._log()), subject, item, file, sources=sources, kept=known)
        with suppress(Unwritable):
            self._log_report(view, "evidence bundle")
        return written

    def _log_report(self, view: View, what: str) -> None:
        """Log that something was made that leaves the store and names a build: retention lets that build stay."""
        self._log_act("report", view.corpus_id, what=what, generation=view.generation, build_id=view.manifest.build_id)

    def note_file(self, corpus_id: str, generation: int, what: str, content: bytes | BinaryIO, **told: str) -> str:
        """Log the file of a report or a bundle, so that it can be found by its bytes.

        Args:
            corpus_id: the corpus.
            generation: that it is of.
            what: "report file" or "evidence bundle file".
            content: its bytes, or the file at its beginning.
            told: what else is known of it: its name, format, edition, subject.
        Returns:
            The SHA-256 of its bytes.
        """
        import hashlib

        digest = hashlib.sha256(content).hexdigest() if isinstance(content, bytes) else _digest_of(content)
        with suppress(Unwritable):
            known = {name: value for name, value in told.items() if value}
            self._log_act("report", corpus_id, what=what, generation=generation, sha256=digest, **known)
        return digest

    def export(self, corpus_id: str, file: BinaryIO, *, progress: Progress = silent) -> ExportReport:
        """Write a corpus with all its generations as one archive; the same corpus gives the same bytes.

        Args:
            corpus_id: the corpus; nobody may write to it meanwhile.
            file: open for writing bytes; what is in it is an archive only if this returns.
            progress: told as rows are written.
        Raises:
            NotFound: no such corpus.
            Conflict: somebody wrote to the corpus meanwhile.
            Corrupt: a row is damaged; nothing that cannot be restored is exported.
        """
        from coditect.knowledge.archive.export import export_corpus

        report = export_corpus(self.store, corpus_id, file, progress=progress)
        with suppress(Unwritable):  # of a backup on a medium that is only read, and of a store of a former format
            self._log_act(
                "export",
                corpus_id,
                generation=report.generation,
                build_id=report.build_id,
                corpus_digest=report.corpus_digest,
                size_bytes=report.size_bytes,
            )
        return report

    def import_archive(self, file: BinaryIO, *, proven: bool = False, progress: Progress = silent) -> ImportReport:
        """Read an archive into the store; the corpus appears whole or not at all.

        Args:
            file: a seekable file of bytes, at the beginning of what :meth:`export` wrote, from any engine and for any tenant.
            proven: the caller has read it to its end with ``open_archive``, and nobody has written to it since.
            progress: told as rows are checked, written and read back.
        Raises:
            UsageError: not an archive, or another corpus stands under its id.
            Conflict: somebody else wrote this corpus meanwhile; nothing is visible.
            Corrupt: the archive is not what was written, or what was written to the store cannot be read back.
            InvalidProof: it was imported, and the log does not continue what the key signed before; nothing is signed.
        """
        from coditect.knowledge.archive.format import Archive, open_archive
        from coditect.knowledge.archive.importing import import_archive

        def told(done: int, total: int) -> None:
            progress("checking the archive", done, total)

        archive = Archive(file) if proven else open_archive(file, told)
        self._act()
        listed = erasure_desk(self).listed()
        report = import_archive(self.store, archive, at=self.clock(), progress=progress, erasures=listed)
        self._finish_erasures(report.corpus_id, progress)
        try:
            self.checkpoint()
        except InvalidProof as error:
            raise InvalidProof(
                "the corpus was imported, whole; the log is not signed",
                corpus_id=report.corpus_id,
                reason=error.message,
                hint=f"{error.hint or ''} A key signs one log: to try a backup in another store, unset CODITECT_LOG_KEY.".strip(),
                **{f"log_{name}" if name == "reason" else name: value for name, value in error.context.items()},
            ) from error
        return report


def _digest_of(file: BinaryIO) -> str:
    import hashlib

    return hashlib.file_digest(file, "sha256").hexdigest()  # type: ignore[arg-type]
