"""Code that runs inside a bot's sandbox."""
# It uses the standard library only, and contains no secrets, because bots can read it.
