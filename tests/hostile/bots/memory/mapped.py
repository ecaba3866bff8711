# expects: crash
# detail: Cannot allocate memory
import mmap

for _ask in asks():
    mmap.mmap(-1, 1 << 30, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    answer(_ask)
