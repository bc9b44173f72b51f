#!/usr/bin/env python3
"""Lists source files of src/ that call each other, which headers shared by several sources can hide from check_rooms.py.

    scripts/call_circles.py [ROOM...]      all rooms by default

A function belongs to the source that defines it, wherever it is declared; tables (const structs) count as functions. Circles through a
table of kernels and the self-test named in it, and through a table of commands, are meant. For reading: it compares words, not syntax.
"""
import os
import re
import subprocess
import sys

from check_rooms import circles

COMMENT = re.compile(r"/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"", re.S)
FUNCTION = re.compile(r"^(?!static|typedef|extern|struct \w+ \{)[a-z_][\w *]*?[ *]([a-z_]\w*)\([^;{}]*\)\n\{", re.M)
TABLE = re.compile(r"^const struct [\w ]+\b(\w+)(?:\[\w*\])? = ", re.M)
WORD = re.compile(r"(?<![.>\w])[a-z_]\w+\b")


def read_sources(rooms):
    names = subprocess.run(["git", "ls-files", "src/*.c", "src/*.cpp"], capture_output=True, text=True, check=True).stdout.split()
    names = [name for name in names if not rooms or name.split("/")[1] in rooms]
    return {name: COMMENT.sub("", open(name, encoding="utf-8").read()) for name in names}


def find_calls(sources):
    """The names that each source takes from each other one."""
    owners = {}
    for source, text in sources.items():
        for name in FUNCTION.findall(text) + TABLE.findall(text):
            owners.setdefault(name, set()).add(source)
    calls = {source: {} for source in sources}
    for source, text in sources.items():
        for name in set(WORD.findall(text)):
            if len(owners.get(name, ())) == 1 and source not in owners[name]:
                calls[source].setdefault(next(iter(owners[name])), []).append(name)
    return calls


def main():
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    calls = find_calls(read_sources(sys.argv[1:]))
    for circle in circles({source: set(others) for source, others in calls.items()}):
        print(f"{len(circle)} sources:")
        for source in circle:
            for other in sorted(set(calls[source]) & set(circle)):
                print(f"    {source} calls {other}: {', '.join(sorted(calls[source][other]))}")


if __name__ == "__main__":
    main()
