"""Contents and limits of the arena's sandbox, and its imitation on machines that have none."""
