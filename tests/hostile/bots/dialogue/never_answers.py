# expects: timeout
# detail: asleep
# It reads and never answers.
for _ask in asks():
    pass
