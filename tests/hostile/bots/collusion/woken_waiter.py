# expects: held
@attempt
def talk():
    """Wake processes that wait at a word of a shared file, and learn their number (FUTEX_WAKE)."""
    import ctypes
    import mmap

    with open(os.path.join(LIBRARY, "types.py"), "rb") as shared:
        page = mmap.mmap(shared.fileno(), 4096, mmap.MAP_SHARED, mmap.PROT_READ)
    buffer = (ctypes.c_char * 80)()
    ctypes.pythonapi.PyObject_GetBuffer(ctypes.py_object(page), ctypes.byref(buffer), 0)
    word = ctypes.c_void_p.from_buffer(buffer).value
    return f"woke {syscall('futex', word, 1, 1, 0, 0, 0)} waiters at types.py"
