"""Requirements beside what a house says, written by hand: which label a crosswalk gives, and which it should."""
