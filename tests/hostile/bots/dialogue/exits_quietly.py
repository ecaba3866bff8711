# expects: crash
# detail: without a word
# It ends as if all were well.
for _ask in asks():
    sys.exit(0)
