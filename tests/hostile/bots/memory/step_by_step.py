# expects: crash
# detail: MemoryError
for _ask in asks():
    KEPT = []
    while len(KEPT) < 64:
        KEPT.append(bytearray(b"x" * (16 << 20)))
    answer(_ask)
