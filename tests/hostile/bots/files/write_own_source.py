# expects: held
@attempt
def write_file():
    """Open its own source for writing."""
    return open(os.path.abspath(__file__), "r+b").writable()
