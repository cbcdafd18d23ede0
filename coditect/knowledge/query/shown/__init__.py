"""Whether a tier answers, and what is shown in the place of answers where it does not."""
