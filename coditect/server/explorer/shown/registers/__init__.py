"""Registers as pages: duties as a list and as a calendar, and what contracts say of themselves."""
