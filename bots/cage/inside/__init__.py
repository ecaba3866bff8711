"""Code that runs inside the sandbox with a bot.

It uses the standard library only and holds no secrets, because bots can read it.
"""
