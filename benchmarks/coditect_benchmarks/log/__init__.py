"""What the transparency log costs: proofs and checkpoints of a long log, ingest and build with and without it, and reads."""
