# expects: held
@attempt
def make():
    """Make a hard link to its own source."""
    source = os.path.abspath(__file__)
    os.link(source, os.path.join(os.path.dirname(source), MARK))
    return "made a link"
