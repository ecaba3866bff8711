# expects: held
# control: needs root
@attempt
def change():
    """Write zero bytes into the worker's memory, which the kernel permits or refuses like any write."""
    import ctypes

    there = (ctypes.c_uint64 * 2)(HINTS["address"], 0)
    syscall("process_vm_writev", HINTS["parent"], ctypes.byref(there), 1, ctypes.byref(there), 1, 0)
    return "could have written"
