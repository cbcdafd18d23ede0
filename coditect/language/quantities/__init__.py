"""Numbers with their meaning: amounts, percentages, periods, deadlines, frequencies and dates."""
