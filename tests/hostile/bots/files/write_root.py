# expects: held
# control: needs root
@attempt
def write_file():
    """Write into the root folder, which is a writable tmpfs in careless sandboxes."""
    return open(f"/{MARK}", "w").write("x")
