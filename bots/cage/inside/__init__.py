"""What runs with a bot, or becomes one: standard library only, and no secret, for whatever is here a bot can read."""
