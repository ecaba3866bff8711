# expects: held
@attempt
def look():
    """List the files of others in the temporary folder."""
    return os.listdir("/tmp")[:3]
