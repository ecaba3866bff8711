# expects: held
@attempt
def write_file():
    """Write where it stands."""
    return open(MARK, "w").write("x")
