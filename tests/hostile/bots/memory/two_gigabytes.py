# expects: crash
# detail: MemoryError
for _ask in asks():
    bytearray(2 << 30)
