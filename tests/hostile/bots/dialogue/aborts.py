# expects: crash
# It ends by a signal of its own making.
for _ask in asks():
    os.abort()
