# expects: held
@attempt
def look():
    """Learn whether a folder exists."""
    return os.access("/etc", os.F_OK) and "there is an /etc"
