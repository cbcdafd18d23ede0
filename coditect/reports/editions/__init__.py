"""The audit report for paper, spreadsheets and other programs: editions, an annex by finding, a workbook, OSCAL."""
