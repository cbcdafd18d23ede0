"""What an audit report of one generation holds, and what is in a store; how reports look is in the room reports."""
