"""The outline of a document: labels, headings, and which of them are sections."""
