"""Where the program goes by itself: nowhere but to the addresses that its operator named (CWE-918, CWE-611)."""
