"""The requirements of a framework, part by part: the statements of a catalogue, the rows of a table, the norms of anything else."""
