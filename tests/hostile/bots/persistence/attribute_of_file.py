# expects: held
# matches: 2
@attempt
def remember():
    """Hide a word in its own source's extended attributes."""
    source = os.path.abspath(__file__)
    if "user.hostile" in os.listxattr(source):
        return "remembered"
    os.setxattr(source, "user.hostile", b"x")
    return None
