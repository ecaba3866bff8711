# expects: held
@attempt
def look():
    """List the root folder, and look for anything that does not belong to the interpreter."""
    return sorted({"boot", "etc", "proc", "srv", "sys"} & set(os.listdir("/")))
