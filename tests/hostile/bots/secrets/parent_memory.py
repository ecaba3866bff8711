# expects: held
# control: needs root
@attempt
def look():
    """Copy the secret out of the worker's memory."""
    import ctypes

    buffer = ctypes.create_string_buffer(24)
    here = (ctypes.c_uint64 * 2)(ctypes.addressof(buffer), 24)
    there = (ctypes.c_uint64 * 2)(HINTS["address"], 24)
    syscall("process_vm_readv", HINTS["parent"], ctypes.byref(here), 1, ctypes.byref(there), 1, 0)
    return buffer.raw[::-1] == HINTS["drow"].encode() and "the worker's memory"
