# expects: held
@attempt
def look():
    """Read the target of a symbolic link without following it."""
    return os.readlink("/proc/self")
