# expects: held
@attempt
def look():
    """List the machine's top folder and look for what is not the interpreter's."""
    return sorted({"boot", "etc", "proc", "srv", "sys"} & set(os.listdir("/")))
