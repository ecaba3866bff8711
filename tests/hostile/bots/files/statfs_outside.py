# expects: held
@attempt
def look():
    """Learn how full the disk is."""
    return os.statvfs("/tmp").f_bfree
