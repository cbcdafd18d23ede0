"""PDF files with a text layer: lines, columns, tables; running headers and footers are dropped."""
