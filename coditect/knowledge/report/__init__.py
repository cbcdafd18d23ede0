"""What an audit report of one generation holds."""
