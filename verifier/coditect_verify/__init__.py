"""Checks an evidence bundle of coditect knowledge with none of its code: an engineer can read this in an hour.

``log`` is C2SP's notes, checkpoints, cosignatures and proofs over RFC 9162's tree; ``bundle`` is the container and the ids, which
are hashes of stored bytes; ``hops`` goes from the quotes to the checkpoint; ``timestamps`` checks RFC 3161 tokens where a library
is there; ``command`` reads the arguments and prints.
"""

from coditect_verify.hops import Hop, Trust, Verification, verify_bundle

__all__ = ["Hop", "Trust", "Verification", "verify_bundle"]
