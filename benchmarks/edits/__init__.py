"""Compliance edits over real sentences: pairs that contradict their evidence and pairs that restate it faithfully.

``python -m benchmarks.edits --data FOLDER`` measures on them the rules of
:mod:`coditect.verify.contradictions` and the statistics of :mod:`coditect.verify.support`; ``--output FILE`` writes the pairs.
"""
