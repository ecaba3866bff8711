"""Tools for authors of bots: the `ftk` command, local matches, and the bot protocol."""
