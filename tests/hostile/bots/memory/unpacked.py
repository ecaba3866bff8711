# expects: crash
# detail: MemoryError
import zlib

PACKED = zlib.compress(bytes(32 << 20), 1)
for _ask in asks():
    KEPT = [zlib.decompress(PACKED) for _ in range(16)]
    answer(_ask)
