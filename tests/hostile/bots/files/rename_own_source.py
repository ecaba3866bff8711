# expects: held
@attempt
def change():
    """Give its own source another name, and the old one back."""
    source = os.path.abspath(__file__)
    os.rename(source, source + MARK)
    os.rename(source + MARK, source)
    return "renamed"
