"""Registers as files that other programs open: tables (CSV, XLSX, JSON Lines) and calendars."""
