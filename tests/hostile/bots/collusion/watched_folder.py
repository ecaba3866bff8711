# expects: held
@attempt
def talk():
    """Be told when somebody opens a file of the shared library (inotify)."""
    return syscall("inotify_init1", 0)
