# expects: held
@attempt
def write_file():
    """Write into the temporary folder that outlives a start of the machine."""
    return open(f"/var/tmp/{MARK}", "w").write("x")
