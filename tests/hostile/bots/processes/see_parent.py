# expects: held
@attempt
def look():
    """Learn that the worker is there, by asking for its session."""
    return os.getsid(HINTS["parent"])
