# expects: held
@attempt
def look():
    """See what the worker has open."""
    return os.listdir(f"/proc/{HINTS['parent']}/fd")[:3]
