"""The requirements of a framework, part by part: of a catalogue its statements, of a table its rows, of any other document its norms."""
