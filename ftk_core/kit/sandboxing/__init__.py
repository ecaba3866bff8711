"""Contents, limits and imitation of the sandbox in which servers run bots."""
