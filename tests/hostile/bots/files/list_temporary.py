# expects: held
@attempt
def look():
    """See what others keep in the temporary folder."""
    return os.listdir("/tmp")[:3]
