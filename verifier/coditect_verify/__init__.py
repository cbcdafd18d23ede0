"""Checks an evidence bundle of coditect knowledge with none of its code: an engineer can read this in an hour.

``log`` is C2SP's notes, checkpoints, cosignatures and proofs over RFC 9162's tree; ``bundle`` is the container and the ids, which
are hashes of stored bytes; ``anchors`` holds the checkpoint against the keys that are trusted, and entries against the checkpoint;
``evidence`` goes from claims to quotes to files and decisions; ``hops`` puts these together and checks signatures of persons;
``result`` is what comes out. ``timestamps`` checks RFC 3161 tokens where a library is there; ``command`` reads and prints.
"""

from coditect_verify.hops import verify_bundle
from coditect_verify.result import Hop, Trust, Verification

__all__ = ["Hop", "Trust", "Verification", "verify_bundle"]
