"""Numbers with their meaning: amounts, periods, deadlines, frequencies and dates."""
