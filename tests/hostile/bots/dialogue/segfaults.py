# expects: crash
# It reads at an address that is none.
import ctypes

for _ask in asks():
    ctypes.string_at(0)
