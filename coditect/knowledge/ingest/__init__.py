"""Taking files in."""
