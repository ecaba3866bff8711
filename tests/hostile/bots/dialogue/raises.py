# expects: crash
# detail: out of ideas
# It raises an exception like an honest bot, and the message is stored.
for _ask in asks():
    raise ValueError("out of ideas")
