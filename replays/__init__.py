"""What happened: the event store, the match runner, leases, frames, watchers."""
