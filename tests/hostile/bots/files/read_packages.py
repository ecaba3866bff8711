# expects: held
@attempt
def read():
    """Read the packages that are installed for the platform."""
    return open(os.path.join(HINTS["packages"], "__init__.py")).read(20)
