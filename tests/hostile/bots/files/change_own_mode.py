# expects: held
@attempt
def change():
    """Make its own source writable for all users, and then restore its mode."""
    source = os.path.abspath(__file__)
    mode = os.stat(source).st_mode
    os.chmod(source, 0o666)
    os.chmod(source, mode)
    return "changed the mode"
