# expects: held
@attempt
def undo():
    """Set its I/O priority."""
    return syscall("ioprio_set", 1, 0, 2 << 13) == 0 and "its priority at the disk"
