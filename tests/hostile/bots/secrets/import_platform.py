# expects: held
@attempt
def read():
    """Import the platform's own code."""
    sys.path.insert(0, HINTS["project"])
    import bots.sandbox

    return bots.sandbox.__file__
