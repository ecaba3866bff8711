# expects: crash
# detail: Cannot allocate memory
import mmap

for _ask in asks():
    mmap.mmap(-1, 1 << 30)
    answer(_ask)
