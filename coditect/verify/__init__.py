"""Is a claim supported by what it cites?"""
