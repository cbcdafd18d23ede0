"""What everything in a bundle hangs on: the log's checkpoint, who vouches for it, and entries that are proven by it."""

from datetime import UTC, datetime

from coditect_verify.bundle import Bundle, read_json, tag_of
from coditect_verify.log import Checkpoint, LogProof, base64_bytes, must, require_consistency, require_inclusion
from coditect_verify.result import Trust, Verification
from coditect_verify.timestamps import verified_time


class Anchors:
    """The log of a bundle.

    Attributes:
        checkpoint: signed by a key that the caller gave; None until :meth:`check` found it so.
    """

    def __init__(self, bundle: Bundle, trust: Trust, out: Verification) -> None:
        self.bundle, self.trust, self.out = bundle, trust, out
        self.checkpoint: Checkpoint | None = None

    def check(self) -> None:
        """The checkpoint, and whoever saw it: the caller before, witnesses, a time stamp authority."""
        with self.out.hop("checkpoint", "log") as found:
            names = [each for each in self.bundle.under("log") if each.endswith(".tlog-proof")]
            notes = {LogProof.parse(self.bundle.text(each), each).note for each in names}
            must(len(notes) == 1, f"the {len(names)} proofs of the bundle are of {len(notes)} checkpoints, not of one")
            checkpoint = Checkpoint.parse(notes.pop(), f"the checkpoint in {names[0]}")
            signed = [key for key in checkpoint.signed_by(self.trust.log_keys) if key.name == checkpoint.origin]
            ids = ", ".join(f"{name} {data[:4].hex()}" for name, data in checkpoint.signatures)
            yours = ", ".join(f"{key.name} {key.key_id.hex()}" for key in self.trust.log_keys)
            nobody = f"no key that you gave ({yours}) signed the checkpoint of {checkpoint.origin}, but {ids}"
            must(signed, f"{nobody}: it proves nothing")
            self.checkpoint, self.out.checkpoint = checkpoint, checkpoint.note
            found.append(f"{checkpoint.origin}, {checkpoint.size} entries, root {checkpoint.root.hex()[:16]}…")
            found.append(f"signed by the log's key {signed[0].key_id.hex()}")
        stamps = self.bundle.under("timestamps")
        self.bundle.read.update(stamps, (each for each in self.bundle.under("log") if "/consistency-" in each))
        if checkpoint := self.checkpoint:
            self._kept(checkpoint, self.trust.kept) if self.trust.kept else self.out.leave("kept")
            self._witnesses(checkpoint) if self.trust.witnesses else self.out.leave("witnesses")
            left = "stamps" if stamps else "unstamped"
            self._timestamps(checkpoint) if self.trust.authority else self.out.leave(left)

    def _kept(self, checkpoint: Checkpoint, kept: Checkpoint) -> None:
        with self.out.hop("kept checkpoint", str(kept.size)) as found:
            must(kept.origin == checkpoint.origin, f"it is of another log: {kept.origin}, not {checkpoint.origin}")
            name, proof = f"log/consistency-{kept.size}", list[bytes]()
            if kept.size < checkpoint.size:
                asked = f"it was made without your checkpoint; ask for one with its proof from your {kept.size} entries (--kept)"
                asked += ", as what is missing alone does not show that anything was forged"
                must(name in self.bundle.names, f"{name} is not in the bundle: {asked}")
                proof = [base64_bytes(line, f"a hash in {name}") for line in self.bundle.text(name).split()]
            require_consistency(kept.size, checkpoint.size, proof, kept.root, checkpoint.root)
            found.append(f"the log of {checkpoint.size} entries begins with those {kept.size}")

    def _witnesses(self, checkpoint: Checkpoint) -> None:
        with self.out.hop("witnesses", checkpoint.origin) as found:
            signed = checkpoint.signed_by(self.trust.witnesses)
            missing = ", ".join(key.name for key in self.trust.witnesses if key not in signed)
            for key, data in signed.items():
                time = datetime.fromtimestamp(int.from_bytes(data[:8], "big"), UTC)
                found.append(f"{key.name} at {time.isoformat()}")
            few = f"the cosignature of {missing} is not there ({len(found)} of {self.trust.quorum} that you ask for)"
            must(len(found) >= self.trust.quorum, f"{few}: that alone does not show that anything was forged")

    def _timestamps(self, checkpoint: Checkpoint) -> None:
        for name in self.bundle.under("timestamps") or ["timestamps/0.tsr"]:
            with self.out.hop("time stamp", name) as found:
                time = verified_time(self.bundle.member(name), checkpoint.text.encode(), self.trust.authority)
                found.append(f"the checkpoint was there at {time.isoformat()}, judged at that time")

    def told(self, index: object, kind: str, subject: str, member: str) -> int:
        """The index of an entry; Wrong unless it is in the log, tells of this subject, and of the bytes of that member."""
        must(self.checkpoint, "there is no checkpoint that it could be proven by")
        checkpoint: Checkpoint = self.checkpoint  # type: ignore[assignment]
        number = int(str(index))
        name, proof_name = f"log/{number}.entry", f"log/{number}.tlog-proof"
        data = self.bundle.member(name)
        proof = LogProof.parse(self.bundle.text(proof_name), proof_name)
        must(proof.index == number, f"{proof_name} is the proof of entry {proof.index}, not of {number}")
        require_inclusion(data, number, checkpoint.size, proof.hashes, checkpoint.root)
        entry = read_json(data, name)
        told = f"{entry.get('kind')} {entry.get('subject')}"
        other = f"bundle.json names entry {number} of the log for it, which tells of {told}, not of {kind} {subject}"
        must(told == f"{kind} {subject}", f"{other}: the index is wrong, or it was never logged")
        other = f"bundle.json says that this is of the corpus {self.bundle.corpus_id}; entry {number} of the log is not"
        must(entry.get("corpus") == tag_of(self.bundle.corpus_id), other)
        replaced = kind == "document" and member not in self.bundle.names  # a later state took the place of its record
        same = replaced or entry.get("sha256") == self.bundle.hashed(member)
        must(same, f"{member} is not the one that the log tells of (entry {number}): it was changed, or replaced")
        return number
