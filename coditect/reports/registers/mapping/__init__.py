"""A crosswalk as an OSCAL mapping collection, and back; nothing is lost on the way."""
