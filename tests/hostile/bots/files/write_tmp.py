# expects: held
@attempt
def write_file():
    """Write into the temporary folder."""
    return open(f"/tmp/{MARK}", "w").write("x")
