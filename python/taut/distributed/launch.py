"""The old name of the launcher."""

from .run import main

if __name__ == "__main__":
    main()
