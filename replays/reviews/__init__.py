"""Reviews (computed analyses of ended matches): requests, scheduling, computation and reading."""
