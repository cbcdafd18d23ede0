"""Who may what: callers, roles, tokens, identity providers, sessions of browsers, and limits on rates."""
