# expects: held
@attempt
def look():
    """Read the environment of the worker."""
    return open(f"/proc/{HINTS['parent']}/environ", "rb").read(40) and "the worker's environment"
