# expects: held
# pause: 100
def become():
    """Execute a fresh interpreter, without any restrictions set up inside this one."""
    said = 'print(\'{"id":1,"choose":0,"note":"BREACH became an interpreter"}\', flush=True)'
    os.execv(sys.executable, [sys.executable, "-I", "-S", "-c", said])


attempt(become)
