# expects: crash
# It ends itself by a signal.
for _ask in asks():
    os.abort()
