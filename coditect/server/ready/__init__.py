"""Search made ready behind a server: of what is there when it begins, and of generations that others build."""
