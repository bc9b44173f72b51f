#!/usr/bin/env python3
"""Links in the documentation: every file and every #anchor that a *.md file of the repository links to exists.

    scripts/check_links.py

Links to other hosts are not followed. docs/site/ has pages of the site, whose links scripts/site.py checks. An anchor is the heading as GitHub spells it: lowercase, blanks as hyphens, punctuation dropped.
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FENCE = re.compile(r"^(```|~~~).*?^\1", re.M | re.S)
CODE = re.compile(r"`[^`\n]*`")
LINK = re.compile(r"\]\(\s*<?([^)\s>]+)>?[^)]*\)")
HEADING = re.compile(r"^#{1,6} +(.*?) *#*$", re.M)


def pages():
    names = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.md"], cwd=ROOT, capture_output=True, text=True, check=True)
    return [ROOT / name for name in names.stdout.split("\n") if name and (ROOT / name).exists() and not name.startswith("docs/site/")]


def anchors(page):
    found, times = set(), {}
    for heading in HEADING.findall(FENCE.sub("", page.read_text(encoding="utf-8"))):
        text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").lower()
        anchor = re.sub(r"[^\w\- ]", "", text).replace(" ", "-")
        number = times.get(anchor, 0)
        times[anchor] = number + 1
        found.add(f"{anchor}-{number}" if number else anchor)
    return found


def fault(page, link):
    """The reason why a link on a page is broken, or None."""
    if re.match(r"[a-z][a-z0-9+.-]*:", link):
        return None
    path, _, anchor = link.partition("#")
    target = (page.parent / path).resolve() if path else page
    if not target.is_relative_to(ROOT):
        return "leads out of the repository"
    if not target.exists():
        return "no such file"
    if anchor and (target.suffix != ".md" or anchor not in anchors(target)):
        return f"no heading '#{anchor}' in {target.relative_to(ROOT)}"
    return None


def main():
    faults = links = 0
    for page in pages():
        text = page.read_text(encoding="utf-8")
        blank = lambda match: re.sub(r"[^\n]", " ", match[0])
        text = CODE.sub(blank, FENCE.sub(blank, text))
        for match in LINK.finditer(text):
            links += 1
            reason = fault(page, match[1])
            if reason:
                faults += 1
                line = text.count("\n", 0, match.start()) + 1
                print(f"{page.relative_to(ROOT)}:{line}: {match[1]}: {reason}")
    if links == 0:
        sys.exit("check_links.py: no links found")
    return 1 if faults else 0


sys.exit(main())
