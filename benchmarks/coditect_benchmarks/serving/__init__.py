"""The server under load: an open-loop client against ``coditect serve``, and the same questions in Python in the same run."""
