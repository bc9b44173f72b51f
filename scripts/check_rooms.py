#!/usr/bin/env python3
"""Compares the includes of src/ with the order of its rooms, src/rooms.txt, and looks for cycles.

    scripts/check_rooms.py [--summary]

Reported, one a line, with exit code 1: an include of a higher floor or of another room of the same floor, a file outside of the rooms, units
(a source with its header) that need each other, folders of more than 40 units, and sources that git does not know, since the build takes all
that there are.
--summary prints for each room its units, the longest chain of them, and its arrows.
"""
import collections
import os
import re
import subprocess
import sys

INCLUDE = re.compile(r'^\s*#\s*include "([a-z_0-9]+)/([a-z_0-9/]+)\.(?:h|k|cl|c)"', re.M)
CODE = (".c", ".h", ".cpp", ".k")
UNITS = 40


def read_rooms(path):
    """Floor of each room, and of each room within a room; "engines" are those of engines.def without an entry of their own."""
    floors, inner = {}, {}
    listed = open(os.path.join(os.path.dirname(path), "engines.def"), encoding="utf-8").read()
    engines = re.findall(r"^ENGINE\((\w+)\)", listed, re.M)
    number = 0
    for line in open(path, encoding="utf-8"):
        line = line.split("#")[0].rstrip()
        if not line:
            continue
        if "/:" in line:
            room, names = line.split("/:")
            inner[room] = {name: floor for floor, name in enumerate(names.split())}
        else:
            for room in line.split():
                floors[room] = number
            number += 1
    floor = floors.pop("engines")
    for engine in engines:
        floors.setdefault(engine, floor)
    return floors, inner


def place(unit, inner):
    """Room, and room within it: a folder, or a file that src/rooms.txt names."""
    parts = unit.split("/")
    return parts[0], parts[1] if len(parts) > 2 or parts[1] in inner.get(parts[0], {}) else "."


def read_units(top):
    """The includes of each unit, a path without its ending."""
    units = {}
    for folder, _, files in os.walk(top):
        for name in files:
            stem, ending = os.path.splitext(os.path.join(folder, name))
            if ending not in CODE:
                continue
            unit = os.path.relpath(stem, top)
            text = open(stem + ending, encoding="utf-8").read()
            for room, rest in INCLUDE.findall(text):
                if room != "sonde":
                    units.setdefault(unit, set()).add(f"{room}/{rest}")
            units.setdefault(unit, set())
    return {unit: {other for other in others if other in units and other != unit} for unit, others in units.items()}


def wrong_arrows(units, floors, inner):
    for unit, others in sorted(units.items()):
        room, part = place(unit, inner)
        if room not in floors:
            yield f"{unit}: src/rooms.txt has no room '{room}'"
            continue
        if room in inner and part not in inner[room] and part != "kernels":
            yield f"{unit}: src/rooms.txt has no room '{part}' in '{room}'"
            continue
        for other in sorted(others):
            other_room, other_part = place(other, inner)
            if other_room == room:
                order = inner.get(room)
                if order and "kernels" not in (part, other_part) and order.get(other_part, 0) > order[part]:
                    yield f"{unit} includes {other}, which stands above it"
            elif floors.get(other_room, 99) >= floors[room]:
                yield f"{unit} includes {other}, which is on a higher floor or on the same one"


def circles(units):
    """Strongly connected units, by Tarjan's algorithm without recursion."""
    index, low, on_stack, stack, found = {}, {}, set(), [], []
    for root in sorted(units):
        if root in index:
            continue
        work = [(root, iter(sorted(units[root])))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on_stack.add(root)
        while work:
            unit, others = work[-1]
            for other in others:
                if other not in index:
                    index[other] = low[other] = len(index)
                    stack.append(other)
                    on_stack.add(other)
                    work.append((other, iter(sorted(units[other]))))
                    break
                if other in on_stack:
                    low[unit] = min(low[unit], index[other])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[unit])
                if low[unit] == index[unit]:
                    component = []
                    while True:
                        member = stack.pop()
                        on_stack.discard(member)
                        component.append(member)
                        if member == unit:
                            break
                    if len(component) > 1:
                        found.append(sorted(component))
    return found


def large_folders(units):
    counts = collections.Counter(os.path.dirname(unit) for unit in units)
    return [f"src/{folder} has {count} units: {UNITS} at most, divide it into rooms" for folder, count in sorted(counts.items()) if count > UNITS]


def summarize(units, floors):
    for room in sorted(floors, key=lambda name: (floors[name], name)):
        own = {unit: {other for other in others if other.startswith(room + "/")} for unit, others in units.items() if unit.startswith(room + "/")}
        depth = {}

        def chain(unit, path=()):
            if unit not in depth:
                depth[unit] = 1 + max((chain(other, path + (unit,)) for other in own[unit] if other not in path), default=0)
            return depth[unit]

        longest = max((chain(unit) for unit in own), default=0)
        print(f"{room:9} {len(own):4} units, chains of {longest:2}, {sum(map(len, own.values())):4} arrows")


def main():
    top = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
    os.chdir(top)
    floors, inner = read_rooms("src/rooms.txt")
    units = read_units("src")
    if "--summary" in sys.argv[1:]:
        summarize(units, floors)
    complaints = list(wrong_arrows(units, floors, inner))
    complaints += large_folders(units)
    complaints += ["a circle: " + ", ".join(circle) for circle in circles(units)]
    unknown = subprocess.run(["git", "ls-files", "--others", "--exclude-standard", "src"], capture_output=True, text=True, check=False)
    complaints += [f"{name}: git does not know it, and the build takes it" for name in unknown.stdout.split() if name.endswith(CODE)]
    for complaint in complaints:
        print(f"rooms: {complaint}")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
