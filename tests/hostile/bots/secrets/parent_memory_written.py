# expects: held
# control: needs root
@attempt
def change():
    """Write into the worker's memory (no byte of it, but the kernel does not mind)."""
    import ctypes

    there = (ctypes.c_uint64 * 2)(HINTS["address"], 0)
    syscall("process_vm_writev", HINTS["parent"], ctypes.byref(there), 1, ctypes.byref(there), 1, 0)
    return "could have written"
