"""`python -m rtf` is the command `rtf`."""

from rtf.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
