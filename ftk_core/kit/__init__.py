"""Tools that use processes and clocks: the pipe to a bot, the local arena, and the `ftk` command."""
