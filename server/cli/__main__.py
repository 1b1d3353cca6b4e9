"""`python -m server.cli`: the command `phalera`."""

from server.cli.main import main

if __name__ == "__main__":
    main()
