# expects: held
@attempt
def read():
    """Import the platform's own code."""
    sys.path.insert(0, HINTS["project"])
    import bots.sandbox.runtime

    return bots.sandbox.runtime.__file__
