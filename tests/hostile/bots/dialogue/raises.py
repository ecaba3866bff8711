# expects: crash
# detail: out of ideas
# It fails as honest bots do, and its last words are kept.
for _ask in asks():
    raise ValueError("out of ideas")
