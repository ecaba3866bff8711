# expects: held
# control: needs root
@attempt
def make():
    """Make a device node for the null device."""
    os.mknod(os.path.join(os.path.dirname(os.path.abspath(__file__)), MARK), 0o20666, os.makedev(1, 3))
    return "made a device"
