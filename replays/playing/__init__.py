"""Playing of matches: leases, heartbeats, pace, notifications and results."""
