"""Small texts by class of typography: where their sentences are cited, and which terms they define."""
