"""The two stages that words are checked by: contradictions first, then support."""
