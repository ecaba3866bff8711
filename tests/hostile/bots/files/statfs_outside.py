# expects: held
@attempt
def look():
    """Read the free space of the disk."""
    return os.statvfs("/tmp").f_bfree
