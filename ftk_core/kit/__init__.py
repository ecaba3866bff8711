"""Kit for authors of bots: the `ftk` command, series of local matches, and the protocol between match and bot."""
