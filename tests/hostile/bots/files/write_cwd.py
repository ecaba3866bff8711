# expects: held
@attempt
def write_file():
    """Write into the current folder."""
    return open(MARK, "w").write("x")
