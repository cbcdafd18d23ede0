"""Compliance edits over real sentences: pairs that contradict their evidence and pairs that restate it faithfully.

``python -m coditect_benchmarks.edits --data FOLDER`` measures on them the rules of :mod:`coditect.verify.contradictions.rules` and
the statistics of :mod:`coditect.verify.support.assessment`; ``--output FILE`` writes the pairs, ``--json FILE`` the figures.

Two in five documents, by the hash of their names, are held out, and they are edited by templates of their own. Rules
were written from the misses on the other family alone. The held-out templates lie beside the others in the same files,
so those who write rules can know their words: the held-out figure says how rules do on sentences that nobody looked at,
less so how they do on words that nobody thought of.
"""
