"""The gold read by a language model in the role that the product has for it, beside rules alone."""
