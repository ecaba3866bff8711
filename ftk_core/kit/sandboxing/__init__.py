"""Contents and limits of the arena's sandbox, and an imitation of it for machines without a sandbox."""
