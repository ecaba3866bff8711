# expects: crash
# detail: without a word
# It ends with exit code 0.
for _ask in asks():
    sys.exit(0)
