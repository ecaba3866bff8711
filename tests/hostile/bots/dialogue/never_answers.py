# expects: timeout
# detail: asleep
# It reads, and says nothing.
for _ask in asks():
    pass
