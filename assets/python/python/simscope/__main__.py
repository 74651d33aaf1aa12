"""The program `simscope`, run inside Python."""

import signal
import sys

from . import native


def main() -> int:
    """Run the program with the arguments of this process; return its exit code."""
    # Python's handler of ^C would only set a flag that nobody reads while the program runs.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return native.run(["simscope", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
