"""Kit for bot authors: the `ftk` command, local series of matches, and the pipes to bot processes."""
