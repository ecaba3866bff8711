# expects: held
@attempt
def read():
    """Import packages that are installed for the platform."""
    sys.path.append(os.path.dirname(HINTS["packages"]))
    import django

    return django.__file__
