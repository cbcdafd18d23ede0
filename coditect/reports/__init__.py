"""How reports look: the HTML and JSON of audit reports, of their claims, of checked texts and of calibrations."""
