# expects: held
# matches: 2
@attempt
def remember():
    """Store a word in the extended attributes of its own source."""
    source = os.path.abspath(__file__)
    if "user.hostile" in os.listxattr(source):
        return "remembered"
    os.setxattr(source, "user.hostile", b"x")
    return None
