"""From files to text, structure, sentences and what they say."""
