# expects: held
# matches: 2
@attempt
def remember():
    """Store a number in the modification time of its own source."""
    source = os.path.abspath(__file__)
    if os.stat(source).st_mtime == 1234567890:
        return "remembered"
    os.utime(source, (1234567890, 1234567890))
    return None
