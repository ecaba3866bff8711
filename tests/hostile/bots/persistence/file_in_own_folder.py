# expects: held
# matches: 2
PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), MARK)


@attempt
def remember():
    """Leave a file beside the source for the next match."""
    if os.path.exists(PATH):
        return "remembered"
    open(PATH, "w").close()
    return None
