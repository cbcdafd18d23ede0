"""From a question to items: lexical search, exact look-up, and the replicas that serve them."""
