# expects: crash
# detail: MemoryError
KEPT = [bytearray(64 << 20) for _ in range(32)]
serve(str)
