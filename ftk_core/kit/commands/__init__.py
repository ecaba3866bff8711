"""Commands of the `ftk` command-line tool, grouped into modules."""
