"""Who must, must not or may do what, when and unless."""
