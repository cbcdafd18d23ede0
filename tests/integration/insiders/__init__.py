"""Insiders: who can write a store, computes every hash again that helps, and may hold the log's key; and what finds them.

``kinds`` is the table: each kind of attack, and what must find it. ``test_insiders`` tries every row of it, both ways: what is not
said to find an attack must not, so that the table tells no more than is so; ``docs/insiders.md`` shows it. ``lived`` is the store
that is attacked, ``hands`` what an insider does with it, ``watchers`` who looks; the other modules are the attacks, by family.
"""
