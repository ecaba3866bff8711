# expects: held
@attempt
def look():
    """Learn the name of the machine."""
    return os.uname().nodename == HINTS["node"] and HINTS["node"]
