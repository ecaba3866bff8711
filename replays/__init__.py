"""Event store of matches, match runner, leases, frames and spectators' connections."""
