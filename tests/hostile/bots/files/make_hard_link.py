# expects: held
@attempt
def make():
    """Give its own source another name."""
    source = os.path.abspath(__file__)
    os.link(source, os.path.join(os.path.dirname(source), MARK))
    return "made a link"
