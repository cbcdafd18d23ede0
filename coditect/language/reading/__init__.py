"""One shared reading of a sentence for tiers, verification and search: tokens, negations, binding words, conditions, actors."""
