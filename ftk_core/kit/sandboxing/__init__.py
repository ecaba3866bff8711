"""Contents and limits of the sandbox in which servers run bots, and an imitation for machines without it."""
