# expects: held
@attempt
def look():
    """Learn where a link leads without following it."""
    return os.readlink("/proc/self")
