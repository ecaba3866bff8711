# expects: crash
# It reads from an invalid address.
import ctypes

for _ask in asks():
    ctypes.string_at(0)
