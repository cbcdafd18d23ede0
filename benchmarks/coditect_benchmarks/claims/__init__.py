"""Claims that somebody wrote without having seen the rules, true and false, each with the one passage that decides it."""
