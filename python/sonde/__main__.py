"""python -m sonde: the program."""
from ._program import main

main()
