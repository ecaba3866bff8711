# expects: held
# control: needs root
@attempt
def trace():
    """Attach to a rival like a debugger (PTRACE_SEIZE), and detach."""
    syscall("ptrace", 0x4206, HINTS["rival_pid"], 0, 0)
    return "a debugger of its rival"
