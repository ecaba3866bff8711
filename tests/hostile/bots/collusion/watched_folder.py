# expects: held
@attempt
def talk():
    """Get an event when another process opens a file of the shared library (inotify)."""
    return syscall("inotify_init1", 0)
