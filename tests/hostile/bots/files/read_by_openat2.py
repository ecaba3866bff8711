# expects: held
@attempt
def read():
    """Open a file by the newest system call, which a filter may have forgotten."""
    import ctypes

    how = (ctypes.c_uint64 * 3)(os.O_RDONLY, 0, 0)
    return os.read(syscall("openat2", -100, ctypes.c_char_p(b"/etc/passwd"), ctypes.byref(how), 24), 20)
