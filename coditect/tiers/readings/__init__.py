"""What a model reads in the provisions of a document, located by code: it takes the place of what rules read there."""
