"""Management commands of tournaments, one module for each."""
