"""Playing of matches on workers: leases, heartbeats, pauses between choices, notifications and results."""
