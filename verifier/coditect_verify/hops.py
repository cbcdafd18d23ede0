"""Goes through a bundle: the log's checkpoint, the generation, what the bundle is evidence of, and who signed it.

What the bundle says of itself is only where to look. What is believed are the keys and the checkpoint that the caller gives.
"""

from pathlib import Path

from coditect_verify.anchors import Anchors
from coditect_verify.bundle import Bundle, canonical
from coditect_verify.evidence import Evidence
from coditect_verify.log import Key, base64_bytes, ed25519_signs, must
from coditect_verify.result import Trust, Verification


def verify_bundle(path: Path, trust: Trust) -> Verification:
    """Check everything in a bundle that can be checked; what rests on a wrong checkpoint or generation is not looked at.

    Args:
        path: the bundle.
        trust: at least a key of the log; without one nothing is proven, whatever checkpoint was kept.
    """
    out = Verification()
    with out.hop("container", path.name) as found:
        bundle = Bundle(path)
        found.append(f"{len(bundle.names)} members")
    if not out.holds:
        out.leave("rest", "container")
        return out
    subject = bundle.index.get("subject", {})
    kind, item_id = str(subject.get("kind")), str(subject.get("id"))
    out.subject = f"{kind} {item_id}"
    log = Anchors(bundle, trust, out)
    evidence = Evidence(log)
    for begin in (log.check, evidence.generation):
        begin()
        if not out.holds:
            out.leave("rest", out.causes[0].kind)
            return out
    with out.hop("subject", out.subject) as found:
        evidence.check(kind, item_id)
        found.append("all of it was looked at")
    _signatures(log, evidence.index)
    out.leave("later")
    out.unread = bundle.unread()
    if out.unread:
        some = ", ".join(out.unread[:5]) + (", …" if len(out.unread) > 5 else "")
        out.leave("unread" if out.holds else "behind", len(out.unread), some)
    return out


def _signatures(log: Anchors, generation: int) -> None:
    """Signatures of people: Ed25519 over everything in their record, which names the SHA-256 of the record that was signed."""
    bundle, out = log.bundle, log.out
    signatures = bundle.index["entries"].get("signatures", {})
    if not signatures:
        out.leave("unsigned")
    known = {key.name: key for key in log.trust.people}
    for item_id, place in sorted(signatures.items()):
        with out.hop("signature", item_id) as found:
            record = dict(bundle.item(item_id))
            key, signed = Key.parse(record["key"]), base64_bytes(record.pop("signature"), f"the signature in {item_id}")
            holds = ed25519_signs(key.public, b"coditect-signature/1\n" + canonical(record), signed)
            must(holds, "it does not verify: who signed, as what, when, the meaning or what was signed was changed")
            subject, by = record["subject"], record["by"]
            bundle.item(subject)
            own = record["subject_sha256"] == bundle.hashed(f"items/{subject}")
            other = f"what was signed has another SHA-256 than {subject}, which it names"
            must(own, f"{other}: it was signed for something else")
            if known.pop(key.name, None) != key and key not in log.trust.people:
                out.leave("signer", key.name, by)
            out.leave("revoked", key.name, by)
            index = log.told(place, "signature", item_id, f"items/{item_id}")
            if not out.judged(subject):
                out.leave("signed", by, subject)
            found.append(f"{by}, {record['role']}, at {record['at']} as it says: {record['meaning']}")
            file = f", shown as a file of SHA-256 {record['shown_sha256']}" if record.get("shown") == "" else ""
            found.append(f"of {subject}{file}")
            after = f"its entry {index} is not after the generation that it signs ({generation})"
            must(index > generation or not subject.startswith("build_"), after)
            if subject.startswith("review_"):
                continue  # these are heeded by generations that come behind them
            if index > generation:
                out.order.append(f"The generation ({generation}) was logged before {by} signed ({index}).")
            else:
                out.leave("earlier", subject, by, index, generation)
    for name in known:
        out.leave("idle", name)
