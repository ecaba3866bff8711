# expects: held
@attempt
def keep():
    """Lock memory, so that it is never swapped out."""
    import ctypes

    page = ctypes.create_string_buffer(4096)
    return ctypes.CDLL(None).mlock(page, 4096) == 0 and "locked memory"
