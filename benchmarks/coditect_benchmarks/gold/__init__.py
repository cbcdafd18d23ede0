"""The hand-labelled gold of what sentences and list groups say: units, labels, their check, agreement and the sealed test part."""
