# expects: held
@attempt
def look():
    """Learn whether a folder exists."""
    return os.access("/root", os.F_OK) and "there is a /root"
