"""Who plays: uploads, immutable versions, the cage, trial runs."""
