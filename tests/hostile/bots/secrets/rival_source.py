# expects: held
@attempt
def read():
    """Read another bot's source."""
    return open(HINTS["rival"]).read(10)
