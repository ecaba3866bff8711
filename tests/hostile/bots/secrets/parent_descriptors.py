# expects: held
@attempt
def look():
    """List the files that the worker has open."""
    return os.listdir(f"/proc/{HINTS['parent']}/fd")[:3]
