# expects: crash|timeout
for _ask in asks():
    KEPT = 7 ** (1 << 40)
    answer(_ask)
