# expects: held
@attempt
def read():
    """Import what is installed for the platform."""
    sys.path.append(os.path.dirname(HINTS["packages"]))
    import django

    return django.__file__
