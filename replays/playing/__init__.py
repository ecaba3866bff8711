"""Playing of matches on workers: leases, heartbeats, pace, notifications and results."""
