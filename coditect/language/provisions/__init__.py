"""What a provision says as a whole: a lead-in, its items and its tail, read as the one sentence that they are."""
