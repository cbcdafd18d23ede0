"""What a check of many texts says to other programs: annotations for code review (SARIF) and test results (JUnit XML)."""
