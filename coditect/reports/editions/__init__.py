"""The audit report for paper and for a spreadsheet: editions that a person prints, PDF/A with the data attached, and a workbook."""
