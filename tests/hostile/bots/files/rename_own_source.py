# expects: held
@attempt
def change():
    """Rename its own source, and rename it back."""
    source = os.path.abspath(__file__)
    os.rename(source, source + MARK)
    os.rename(source + MARK, source)
    return "renamed"
