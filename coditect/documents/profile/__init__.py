"""What a document says of itself: its role, its parties, its dates; guesses, each with the words that it rests on."""
