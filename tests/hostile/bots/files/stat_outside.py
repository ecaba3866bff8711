# expects: held
@attempt
def look():
    """Read the size of a file without opening it."""
    return os.stat("/etc/passwd").st_size
