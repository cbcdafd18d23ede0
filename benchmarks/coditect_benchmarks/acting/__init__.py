"""Fits the weights by which a subject that no table knows is taken for somebody who acts: documents in, one small file out."""
