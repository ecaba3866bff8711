# expects: held
@attempt
def write_file():
    """Write beside its own source."""
    return open(os.path.join(os.path.dirname(os.path.abspath(__file__)), MARK), "w").write("x")
