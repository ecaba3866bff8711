# expects: held
# control: needs root
@attempt
def write_file():
    """Write into the top folder, that is a writable tmpfs in careless cages."""
    return open(f"/{MARK}", "w").write("x")
