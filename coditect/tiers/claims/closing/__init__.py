"""What a claim says of two statements at odds beside their words: how they are related, as far as their words establish it."""
