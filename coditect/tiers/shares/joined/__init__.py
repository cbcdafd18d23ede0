"""Arrays of many shares read at once, one document behind the other, and the words in them."""
