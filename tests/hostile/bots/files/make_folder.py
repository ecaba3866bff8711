# expects: held
@attempt
def make():
    """Make a folder."""
    os.mkdir(MARK)
    return os.listdir(MARK) == [] and "made a folder"
