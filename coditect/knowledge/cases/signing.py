"""Keys of persons, and what they sign."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coditect.errors import UsageError
from coditect.knowledge.cases.asking import AskingCases
from coditect.schemas import (
    PersonSignature,
    sha256_hex,
)
from coditect.schemas.day import require_time

if TYPE_CHECKING:
    from coditect.schemas import (
        SignerKey,
    )
    from coditect.transparency.notes import Signer

# What only some use cases need is imported where it is used: a question need not wait for what a build loads.

__all__ = ["SigningCases"]


class SigningCases(AskingCases):
    """Who may sign, and who signed what."""

    def register_key(
        self, signer: Signer, *, person: str, role: str, replaces: str = "", former: Signer | None = None
    ) -> SignerKey:
        """Enter a person's key in the register. See :func:`coditect.integrity.signing.registry.register_key`."""
        from coditect.integrity.signing.registry import register_key

        self._act()
        made = register_key(
            self.store, signer, person=person, role=role, at=self.clock(), replaces=replaces, former=former
        )
        self.checkpoint()
        return made

    def revoke_key(self, key: str, *, reason: str, at: str | None = None) -> SignerKey:
        """Say that a person's key does not hold any more. See :func:`coditect.integrity.signing.registry.revoke_key`.

        Args:
            key: the public key, or its name.
            reason: why.
            at: from when on, RFC 3339, UTC; None: now.

        Raises:
            UsageError: no time, or one that is not yet.
        """
        from coditect.integrity.signing.registry import revoke_key

        require_time("at", at)
        self._act()
        now = self.clock()
        if at is not None and at > now:
            raise UsageError("a key is revoked from now on, or from an earlier time on", at=at, now=now)
        revoked = revoke_key(self.store, key, reason=reason, at=at or now)
        self.checkpoint()
        return revoked

    def registered_keys(self) -> list[SignerKey]:
        """Everything that became of the tenant's persons' keys, by time."""
        from coditect.integrity.signing.registry import registered_keys

        return registered_keys(self.store)

    def sign(
        self, corpus_id: str, item_id: str, signer: Signer, *, meaning: str, as_of: int | None = None
    ) -> PersonSignature:
        """Sign an item with its whole chain of evidence. See :func:`coditect.integrity.signing.items.sign_item`.

        Args:
            corpus_id: the corpus.
            item_id: of a claim, an extraction, a section, a chunk or a passage.
            signer: the key of who signs, registered.
            meaning: of the signature.
            as_of: the generation; None is the current one.
        """
        from coditect.integrity.signing.items import sign_item
        from coditect.integrity.signing.registry import person_signer

        self._act()
        at, view = self.clock(), self.view(corpus_id, as_of)
        evidence = self.chain(item_id, corpus_id=corpus_id, as_of=view.generation)
        signature = sign_item(self.store, view, evidence, person_signer(self.store, signer, at), meaning=meaning, at=at)
        self.checkpoint()
        return signature

    def sign_report(
        self, corpus_id: str, report: bytes, signer: Signer, *, meaning: str, as_of: int | None = None
    ) -> PersonSignature:
        """Sign a report's file and the build that it is of. See :func:`coditect.integrity.signing.items.sign_report`.

        Args:
            corpus_id: the corpus.
            report: the bytes of the file.
            signer: the key of who signs, registered.
            meaning: of the signature.
            as_of: the generation of the report; None is the current one.
        """
        from coditect.integrity.signing.items import sign_report
        from coditect.integrity.signing.registry import person_signer

        self._act()
        at, view = self.clock(), self.view(corpus_id, as_of)
        person = person_signer(self.store, signer, at)
        signature = sign_report(self.store, view, sha256_hex(report), person, meaning=meaning, at=at)
        self.checkpoint()
        return signature

    def signatures(self, corpus_id: str) -> list[tuple[PersonSignature, tuple[str, ...]]]:
        """Every signature of a corpus by time, with what is wrong with each; nothing is, where it is valid."""
        from coditect.integrity.signing.checking import SignatureCheck

        self.store.corpus(corpus_id)
        check = SignatureCheck(self.store, corpus_id)
        found = (each for _, each in self.store.scan("signatures", PersonSignature, corpus_id))
        by_time = sorted(found, key=lambda each: (each.at, each.signature_id))
        return [(each, tuple(check.signature(each))) for each in by_time]
