"""Reviews of matches: requests, scheduling, computation and reading."""
