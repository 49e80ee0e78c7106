"""Lets `python -m canasta_notation` run the program `canasta`."""

from canasta_notation.cli.main import main

if __name__ == "__main__":
    main()
