"""Labels that are ones only in a row of their kind (numbers without a sign, codes of requirements), and headings that are text."""
