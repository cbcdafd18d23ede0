"""A document as it is read: its pages or its structure, with what is highlighted, by pieces that are marked alike."""
