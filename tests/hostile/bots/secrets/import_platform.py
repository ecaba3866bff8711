# expects: held
@attempt
def read():
    """Import the platform's own code."""
    sys.path.insert(0, HINTS["project"])
    import bots.cage.limits

    return bots.cage.limits.__file__
