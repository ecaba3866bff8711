"""What touches processes and clocks: the pipe to a bot, the arena, the `ftk` command, and the bot author's helper."""
