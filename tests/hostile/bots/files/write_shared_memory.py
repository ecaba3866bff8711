# expects: held
@attempt
def write_file():
    """Write into the shared memory file system."""
    return open(f"/dev/shm/{MARK}", "w").write("x")
