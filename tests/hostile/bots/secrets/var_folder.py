# expects: held
@attempt
def read():
    """Read a file of the folder where the platform keeps its keys."""
    return open(HINTS["secret"]).read(10)
