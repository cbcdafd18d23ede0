"""Who acts: which nouns name somebody who can, and what is learnt of others."""
