"""Tools for bot authors that use processes and clocks: bot pipes, local series of matches, the `ftk` command."""
