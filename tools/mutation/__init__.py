"""Mutations of significant lines, and whether the tests of their rooms notice them.

Run ``python -m tools.mutation --count 40 --seed 1``. Each mutation is made in a copy of the checkout, never in the checkout itself.
A process collects the tests of a room once, records which functions of the product each test enters, and then forks for every
mutation: the child changes the module on disk and the functions that it already made of it, and runs the tests that enter them.
What such a child cannot decide, and everything with ``--processes``, is decided by a pytest of its own for each mutation.
"""
