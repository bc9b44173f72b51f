#!/usr/bin/env python3
"""Writes a C program that prints where the members of the public structs lie.

    scripts/abi_layout.py FOLDER > layout.c        FOLDER: that of the headers, include/sonde

Compiled with two versions of the headers it shows what has moved: tests/abi/run.sh compares."""
import glob
import os
import re
import sys


def members(body):
    """Names of the members of a struct's body."""
    for declaration in body.split(";"):
        declaration = re.sub(r"SONDE_FDTD_LIST\(\w+\)", "list", declaration.strip())
        for number, declarator in enumerate(re.sub(r"\([^()]*\)\s*\[", lambda m: m.group(0).replace(",", " "),
                                                   declaration).split(",")):
            pointer = re.search(r"\(\s*\*\s*(\w+)\s*\)", declarator)
            plain = re.search(r"(\w+)\s*(\[[^\]]*\]\s*)*$", declarator.strip())
            if declarator.strip() and (pointer or plain) and (number or " " in declarator.strip()):
                yield (pointer or plain).group(1)


def main():
    headers = sorted(glob.glob(os.path.join(sys.argv[1], "*.h")))
    print("#include <stddef.h>\n#include <stdio.h>\n#include <sonde/sonde.h>\n\nint main(void)\n{")
    for header in headers:
        with open(header, encoding="utf-8") as file:
            text = re.sub(r"/\*.*?\*/", " ", file.read(), flags=re.S)
        for body, name in re.findall(r"typedef struct \w+ \{([^{}]*)\} (\w+);", text):
            if name.startswith("sonde_program"):
                continue
            print(f'\tprintf("{name} %zu\\n", sizeof({name}));')
            for member in members(body):
                if member == "reserved":  # becomes new members
                    continue
                print(f'\tprintf("{name}.{member} %zu\\n", offsetof({name}, {member}));')
    print("\treturn 0;\n}")


if __name__ == "__main__":
    main()
