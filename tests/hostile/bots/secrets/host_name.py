# expects: held
@attempt
def look():
    """Read the name of the machine."""
    return os.uname().nodename == HINTS["node"] and HINTS["node"]
