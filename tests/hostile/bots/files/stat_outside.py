# expects: held
@attempt
def look():
    """Learn how big a file is without opening it."""
    return os.stat("/etc/passwd").st_size
