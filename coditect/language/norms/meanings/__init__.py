"""What words of force mean where they stand: denials, effects, possibilities and reports."""
