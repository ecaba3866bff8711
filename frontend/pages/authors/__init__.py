"""Pages on which authors manage their account, upload bots, enter leagues, order challenges, and play matches."""
