#!/usr/bin/env python3
"""Language of documentation and source: American spelling, no translated idioms; lines of at most 120 characters in Markdown.

    scripts/check_language.py [FILE...]

Without files, those of PATHS are checked. Only words without legitimate uses are listed. In Markdown, code and the tables that
scripts/option_tables.py generates are skipped, since their words are those of the sources; the width holds for text, not for tables and code.
In C, comments and strings are checked, not identifiers. Strings of the library must not spell options as flags.
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
# What is checked, as git pathspecs: all texts but records of names and numbers, and this list of words.
PATHS = [
    "*.md", "src", "include/sonde", "tools", "cmake", "bench", "examples", "docs", "scripts", "tests", "CMakeLists.txt",
    ":!tests/abi", ":!tests/data", ":!scripts/check_language.py",
]
SUFFIXES = {".awk", ".c", ".cmake", ".cpp", ".def", ".h", ".k", ".md", ".py", ".sh", ".txt", ".yaml"}
WIDTH = 120

IZE = (
    "character|crystall|diagonal|discret|equal|final|general|initial|ion|linear|local|magnet|maxim|minim|normal|optim|organ|parallel|parametr|"
    "polar|quant|random|recogn|regular|scrutin|special|standard|summar|symmetr|synchron|util|vector|visual"
)
RULES = [  # pattern, instead
    (r"(colour)\w*", "color"),
    (r"(centre)[sd]?|centring", "center"),
    (r"(behaviour|neighbour|favour|honour|vapour|harbour|rumour|flavour|labour)\w*", "-or"),
    (rf"(?:un|re|de)?(?:{IZE})is(?:e|es|ed|er|ers|ing|ation|ations)", "-ize, -ization"),
    (r"analys(?:e|ed|er|ing)|catalys(?:e|ed|ing)|paralys(?:e|ed|ing)", "-yze"),
    (r"(?:model|label|channel|tunnel|travel|signal|level)l(?:ed|ing|er)", "one l"),
    (r"licences?", "license"),
    (r"defences?|offences?|pretences?", "-ense"),
    (r"grey(?:s|ish|er)?", "gray"),
    (r"fibres?|calibre|theatre", "-er"),
    (r"artefacts?", "artifact"),
    (r"sulph\w+", "sulf-"),
    (r"per cent", "percent"),
    (r"whilst|amongst", "while, among"),
    (r"learnt|spelt|orientated", "learned, spelled, oriented"),
    (r"ageing|mould\w*|programmes?", "aging, mold, program"),
    (r"for ever", "indefinitely"),
    (r"whoever|whatever it is", "the caller, or a noun"),
    (r"(?:is|are|was|were|be|been) told", "reported, given"),
    (r"(?:if|where|when) nothing is said|unless said", "unless stated otherwise"),
    (r"says? so|said aloud", "reports it"),
    (r"mend(?:s|ed|ing)?", "fix"),
    (r"knows? nothing of", "is independent of"),
    (r"that nothing depends on|what nothing depends on", "uniform"),
    (r"(?:atoms|bins|bits|bytes|cells|charges|collisions|evaluations|ions|nodes|operations|pairs|points|steps|terms)"
     r" an? (?:atom|bin|cell|charge|collision|decade|edge|group|ion|octave|pair|point|radius|second|side|step|wavelength)", "per"),
    (r"(?:atoms|photons|vacancies|displacements) an ion", "per ion"),
    (r"an? (?:stop|signal|key) is heard|hears? (?:a stop|Ctrl-C)", "takes effect, responds to"),
    (r"(?:has|have) the last word", "takes precedence"),
    (r"as it comes|as they come", "as distributed, unchanged"),
    (r"(?<!there)[ ]is no (?:number|file|list|device|sample|job|name|option|word|grid|C|OpenCL)", "is not a"),
    (r"(?:thrown|throw|throws) back", "backscattered"),
    (r"on the way home|in (?:its|the|their) midst", "in the middle of"),
    (r"(?:if|unless|where) it is (?:not )?said", "stated"),
    (r"beside (?:a|an|another|each|it|its|other|the|them)", "next to, with"),
    (r"(?:goes|going|went) on", "continues"),
    (r"so many (?:bytes|cells|eV|ions|kB|media|numbers|parts|points|seconds|steps|threads|values)", "the number, by name"),
    (r"told of|tells? of", "reports"),
    (r"(?:that|which) (?:is|are) no (?:comments?|cubes?|libraries|library|multiples?|numbers?|whole)", "not"),
    (r"towards|(?:centi|kilo|milli)metres?", "toward, -meter"),
]
FAULTS = [(re.compile(rf"\b(?:{pattern})\b", re.I), instead) for pattern, instead in RULES]
# all at once, for texts in which spaces are single: nearly all files have none of them
ANY_FAULT = re.compile(r"\b(?:%s)\b" % "|".join(f"(?:{pattern})" for pattern, _ in RULES), re.I)

FENCE = re.compile(r"^( *)(```|~~~).*?^ *\2[^\n]*$", re.M | re.S)
INDENTED = re.compile(r"(?<=\n\n)(?:    [^\n]*\n(?:\n(?=    ))?)+")
GENERATED = re.compile(r"^<!-- \w+\.def -->$.*?^<!-- end -->$", re.M | re.S)
CODE = re.compile(r"`[^`]*`")
C_SUFFIXES = {".c", ".h", ".cpp", ".def", ".k"}
# Code of C: all between comments and strings, and names of files that are included.
TEXTS_OF_C = re.compile(r"/\*.*?\*/|//[^\n]*|(?<!#include )\"(?:\\.|[^\"\\\n])*\"", re.S)


# Messages of the library name options in backquotes, `bin_width`, and the front end spells them (src/base/option_spelling.h). Help texts of
# engines are the program's, and so are flags of compilers.
FLAG = re.compile(r"(?<![\w-])--[a-z][a-z-]*")
STRING = re.compile(r'"(?:\\.|[^"\\\n])*"')
HELP = re.compile(r"^const struct engine \w+ = \{.*?\};", re.M | re.S)
FLAGS_OF_COMPILERS = {"src/device/nvrtc.c"}


def blank(match):
    return re.sub(r"[^\n]", " ", match[0])


def texts_of_c(text):
    """Comments and strings of C, all else blank."""
    kept, end = [], 0
    for match in TEXTS_OF_C.finditer(text):
        kept += [re.sub(r"[^\n]", " ", text[end:match.start()]), match[0]]
        end = match.end()
    return "".join(kept) + re.sub(r"[^\n]", " ", text[end:])


def is_wide(line):
    return len(line) > WIDTH and not line.startswith(("|", "#", "![", "<!--")) and " " in line[:WIDTH].strip()


def faults(path):
    """Lines and the reasons why they are refused."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        for pattern in (GENERATED, FENCE, INDENTED):
            text = pattern.sub(blank, text)
        for number, line in enumerate(text.split("\n"), 1):
            if is_wide(line.rstrip()):
                yield number, f"{len(line.rstrip())} characters, {WIDTH} at most"
        text = CODE.sub(blank, text)
    elif path.suffix in C_SUFFIXES:
        text = texts_of_c(text)
    # a phrase may be divided between two lines
    joined = re.sub(r"\n[ \t]*(?:[*/#]+ )?", lambda m: " " * len(m[0]), text)
    single = re.sub(r"[ \t]", " ", joined)
    if not ANY_FAULT.search(re.sub(" +", " ", single)):
        return
    for pattern, instead in FAULTS:
        flexible = re.compile(pattern.pattern.replace(" ", " +"), re.I)
        for match in flexible.finditer(single):
            found = re.sub(" +", " ", match[0].strip())
            yield text.count("\n", 0, match.start()) + 1, f"'{found}': {instead}"


def flags(path):
    """Lines of the library's C with strings that spell an option as a flag."""
    name = str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else ""
    if not re.fullmatch(r"src/(?!cli/).*\.[ch]", name) or name in FLAGS_OF_COMPILERS:
        return
    text = HELP.sub(blank, path.read_text(encoding="utf-8"))
    for string in STRING.finditer(re.sub(r"/\*.*?\*/", blank, text, flags=re.S)):
        for flag in FLAG.finditer(string[0]):
            yield text.count("\n", 0, string.start()) + 1, f"'{flag[0]}': write `{flag[0][2:].replace('-', '_')}`, which the front end spells"


def listed(*paths):
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", *paths]
    names = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\n")
    return [str(ROOT / name) for name in names if pathlib.PurePath(name).suffix in SUFFIXES and (ROOT / name).exists()]


def main():
    names = sys.argv[1:] or listed(*PATHS)
    if not names:
        sys.exit("check_language.py: no files found")
    found = 0
    for name in sorted(names):
        path = pathlib.Path(name).resolve()
        for line, reason in sorted([*faults(path), *flags(path)]):
            found += 1
            print(f"{path.relative_to(ROOT) if path.is_relative_to(ROOT) else path}:{line}: {reason}")
    return 1 if found else 0


sys.exit(main())
