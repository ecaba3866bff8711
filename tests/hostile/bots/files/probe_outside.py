# expects: held
@attempt
def look():
    """Test if a folder exists."""
    return os.access("/etc", os.F_OK) and "there is an /etc"
