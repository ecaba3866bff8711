# expects: held
@attempt
def write_file():
    """Write a file without a name (O_TMPFILE) in any folder that allows it."""
    for folder in (".", os.path.dirname(os.path.abspath(__file__)), "/tmp", "/dev/shm", "/"):
        try:
            return os.write(os.open(folder, os.O_TMPFILE | os.O_RDWR, 0o600), b"x" * 1000)
        except OSError:
            continue
    return None
