# expects: held
@attempt
def read():
    """Read a file by a path through /proc."""
    return open("/proc/self/root/etc/passwd").read(20)
