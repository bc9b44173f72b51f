# Mistakes of users: exit code 2, one line that gives the error and its place, and no files.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# A run that would be fine, and writes x.h5, but for what is added.
debye() { sonde debye "$@" -o x.h5; }
c60=$data/C60.xyz

# files that are not samples ----------------------------------------------------------------------
sample() { # NAME TEXT : a file of this text; bytes as in printf
	printf -- "$2" >"$inputs/$1"
}
bad_sample() { # REGEX NAME TEXT
	sample "$2" "$3"
	fails 2 "$2$1" debye "$inputs/$2"
}
fails 2 'nowhere\.xyz: cannot be read: No such file' debye nowhere.xyz
fails 2 ': is a folder, not a file' debye "$inputs"
fails 2 'the name of a file is empty' debye ""
fails 2 'the name of a file is empty' sonde info ""
fails 2 'C60\.xyz/x: cannot be read: Not a directory' debye "$c60/x"
bad_sample ': is empty' empty.xyz ''
bad_sample ':1: .*but is empty' blank.xyz '\n\n\n'
bad_sample ':1: contains zero bytes' zeros.xyz '\0\0\0\0\n\0\0'
head -c 200000 /dev/urandom >"$inputs/noise.xyz"
fails 2 'noise\.xyz:[0-9]+: ' debye "$inputs/noise.xyz"
head -c 200000 /dev/zero | tr '\0' 'x' >"$inputs/long.xyz"
fails 2 'long\.xyz:1: the line is longer than' debye "$inputs/long.xyz"
sonde debye "$c60" --q 1:2:2 -o "$inputs/result.h5" --quiet
fails 2 'result\.h5: contains no atoms: ' debye "$inputs/result.h5"
fails 2 'Au\.png:1: ' debye "$(printf '\x89PNG\r\n\x1a\n' >"$inputs/Au.png"; echo "$inputs/Au.png")"
bad_sample ":1: the first line of an XYZ file is the number of atoms, not 'Au 0 0 0'" nohead.xyz 'Au 0 0 0\nAu 1 0 0\n'
bad_sample ":1: .*not '-2'" negative.xyz '-2\n\nAu 0 0 0\n'
bad_sample ":1: .*not '2\.0'" real.xyz '2.0\n\nAu 0 0 0\nAu 1 0 0\n'
bad_sample ":1: .*not '1e3'" exponent.xyz '1e3\n\nAu 0 0 0\n'
bad_sample ":1: .*not '99999999999999999999'" many.xyz '99999999999999999999\n\nAu 0 0 0\n'
bad_sample ':[0-9]+: the file ends after 1 of 9000000000000000000 atoms' claims.xyz '9000000000000000000\n\nAu 0 0 0\n'
bad_sample ':[0-9]+: the file ends after 2 of 3 atoms' few.xyz '3\n\nAu 0 0 0\nAu 1 0 0\n'
bad_sample ':1: the file ends before the comment line' header.xyz '3\n'
bad_sample ":5: the file has more lines than its number of atoms, not 'Au 2 0 0'" lines.xyz '2\n\nAu 0 0 0\nAu 1 0 0\nAu 2 0 0\n'
bad_sample ':3: an atom needs 4 columns, this line has 3' columns.xyz '1\n\nAu 0 0\n'
bad_sample ':3: an atom needs 4 columns, this line has 0' gap.xyz '2\n\n\nAu 0 0 0\n'
for number in nan NaN inf -inf Infinity 1e400 0x10 1,5 1.0d0 -- 1e 1_000; do
	bad_sample ":4: y = '.*' is not a finite number" number.xyz "2\n\nAu 0 0 0\nAu 0 $number 0\n"
done
bad_sample ':3: z = 1e\+300 is out of range: at most 1e\+07 Angstrom' huge.xyz '1\n\nAu 0 0 1e300\n'
bad_sample ':3: x = -2e\+07 is out of range' large.xyz '1\n\nAu -2e7 0 0\n'
sample none.xyz '0\n\n'
fails 2 'the sample has no atoms: nothing scatters' debye "$inputs/none.xyz"
bad_sample ':2: Properties lack species:S:1 or pos:R:3' lack.xyz '1\nProperties=pos:R:3\n0 0 0\n'
bad_sample ':2: Properties must be a sequence of name:type:columns' properties.xyz '1\nProperties=species:S:x:pos:R:3\nAu 0 0 0\n'
bad_sample ':2: Lattice must be nine numbers' lattice.xyz '1\nLattice="1 0 0 0 1 0 0 0"\nAu 0 0 0\n'
bad_sample ':2: Lattice must be nine numbers' lattice.xyz '1\nLattice="1 0 0 0 1 0 0 0 nan"\nAu 0 0 0\n'

# gzip
gzip -c "$c60" >"$inputs/whole.gz"
size=$(stat -c %s "$inputs/whole.gz")
for part in 3 11 $((size / 2)) $((size - 9)) $((size - 1)); do
	head -c $part "$inputs/whole.gz" >"$inputs/part.xyz.gz"
	fails 2 'part\.xyz\.gz' debye "$inputs/part.xyz.gz"
done
head -c $((size / 2)) "$inputs/whole.gz" >"$inputs/part.xyz.gz"
fails 2 'part\.xyz\.gz:[0-9]+: the gzip data end too early' debye "$inputs/part.xyz.gz"
{ head -c $((size / 2)) "$inputs/whole.gz"; printf '\x55\xaa\x55\xaa'; tail -c +$((size / 2 + 5)) "$inputs/whole.gz"; } >"$inputs/corrupt.xyz.gz"
fails 2 'corrupt\.xyz\.gz:[0-9]+: damaged: ' debye "$inputs/corrupt.xyz.gz"
{ head -c $((size - 8)) "$inputs/whole.gz"; printf '\0\0\0\0'; tail -c 4 "$inputs/whole.gz"; } >"$inputs/checksum.xyz.gz"
fails 2 'checksum\.xyz\.gz:[0-9]+: damaged: incorrect data check' debye "$inputs/checksum.xyz.gz"

# frames
{ cat "$c60"; cat "$c60"; } >"$inputs/frames.xyz"
fails 2 'frames\.xyz:63: a second frame begins here; choose one with --frame' debye "$inputs/frames.xyz"
fails 2 'frames\.xyz: has 2 frames; frame 3 does not exist' debye "$inputs/frames.xyz" --frame 3
fails 2 'frame: -1 is out of range' debye "$inputs/frames.xyz" --frame -1
fails 2 "frame: '1\.5' is not a whole number" debye "$inputs/frames.xyz" --frame 1.5
sample more.xyz '1\n\nAu 0 0 0\nAu 1 0 0\n'
fails 2 'more\.xyz:4: the file has more lines than' debye "$inputs/more.xyz" --frame 1
fails 2 'more\.xyz:4: the file has more lines than' debye "$inputs/more.xyz" --frame 2

# species ----------------------------------------------------------------------------------------
species() { make_xyz "$inputs/species.xyz" 'Au 0 0 0' "$1 2 0 0"; }
bad_species() { # REGEX LABEL OPTIONS...
	species "$2"
	fails 2 "$1" debye "$inputs/species.xyz" "${@:3}"
}
bad_species "unknown species 'AU', did you mean 'Au'\?" AU
bad_species "unknown species 'au', did you mean 'Au'\?" au
bad_species "unknown species 'Feo', did you mean 'Fe'\?" Feo
bad_species "unknown species 'Q'" Q
bad_species "unknown species 'X1'" X1
bad_species "unknown species '79'" 79
bad_species "unknown species 'Co2'" Co2
bad_species "unknown species 'Co\+2'" Co+2
bad_species "unknown species 'O--'" O--
bad_species "unknown species '058Ni'" 058Ni --radiation neutron
bad_species "'.*' is not a valid atom label: 1 to [0-9]+ characters" Abcdefghijklmnopqrstuvwxyz
bad_species "the label of the atom is too long" "$(printf 'x%.0s' {1..100})"
bad_species "no form factor for 'Co7\+'; the table has .*Co2\+" Co7+
bad_species "no form factor for 'Es': the table ends at Z = 98" Es
bad_species "no form factor for 'Og'" Og --factors it1992
bad_species "no neutron scattering length for '77Ni'; the table has .*58Ni" 77Ni --radiation neutron
bad_species "no neutron scattering length is known for 'Og'" Og --radiation neutron
bad_species "unknown species 'Xy'" Xy --factors unit

# grids ------------------------------------------------------------------------------------------
q() { # REGEX GRID
	fails 2 "--q: $1" debye "$c60" --q "$2"
}
q 'the last value, 1, is below the first, 20' 20:1:100
q '-1 is out of range: 0 to 1000 1/Angstrom' -1:20:100
q '2000 is out of range' 0:2000:100
q "'abc' is not a grid; write first:last:points" abc
q "'' is not a grid" ''
q "'0\\.1 0\\.2' is not a grid" '0.1 0.2'
q "'0\.1:20' is not a grid" 0.1:20
q "'0\.1:20:' is not a grid" 0.1:20:
q "':20:100' is not a grid" :20:100
q "'::' is not a grid" ::
q "'0\.1:20:100:7' is not a grid" 0.1:20:100:7
q "'0\.1,20,100' is not a grid" 0.1,20,100
q "'0\.1:20:1 00' is not a grid" '0.1:20:1 00'
q "'nan:20:100' is not a grid" nan:20:100
q "'0\.1:inf:100' is not a grid" 0.1:inf:100
q "1000000000 points are too many" 0.1:20:1e9
q "'0\.1:20:1\.5e0' is not a grid" 0.1:20:1.5e0
q "'0\.1:20:10\.5' is not a grid" 0.1:20:10.5
q "'0\.1:20:0100' is not a grid" 0.1:20:0100
q 'a grid needs at least one point, not 0' 0.1:20:0
q 'a grid needs at least one point, not -5' 0.1:20:-5
q '1000000000 points are too many: the limit is 1000000' 0.1:20:1000000000
q "'0\.1:20:99999999999999999999' is not a grid" 0.1:20:99999999999999999999
q 'one point cannot be both at 0\.1 and at 20' 0.1:20:1
q 'first and last value are the same, but 5 points' 1:1:5
fails 2 '--r: the last value' debye "$c60" --r 9:1:10
fails 2 '--r: -1 is out of range' debye "$c60" --r -1:1:10
fails 2 'r: 1000000 points of r times 1000000 points of q are too many' \
	debye "$c60" --q 0.1:20:1000000 --r 0:10:1000000
fails 2 'q: the form factors are valid up to q = 75\.40 1/Angstrom, not up to 80; lower the last q or choose other factors' \
	debye "$c60" --q 0.1:80:10
fails 2 'q: the form factors are valid up to q = 25\.13 1/Angstrom, not up to 26' debye "$c60" --q 0.1:26:10 --factors it1992
make_xyz "$inputs/far.xyz" 'Au 0 0 0' 'Au 9e6 0 0'
fails 2 'q: q = 20 1/Angstrom across a sample of 9e\+06 Angstrom is a phase above 1e\+08' debye "$inputs/far.xyz"
make_xyz "$inputs/wide.xyz" 'Au 0 0 0' 'Au 1e6 0 0'
fails 2 'bin-width: .* bins of .* Angstrom for a sample of 1e\+06 Angstrom' \
	debye "$inputs/wide.xyz" --method histogram --bin-width 1e-6

# other options ----------------------------------------------------------------------------------
fails 2 "radiation: 'muon' is not one of xray\|neutron\|electron" debye "$c60" --radiation muon
fails 2 "radiation: 'neutrons' is not one of xray\|neutron\|electron, did you mean 'neutron'\?" debye "$c60" --radiation neutrons
fails 2 "method: 'exakt' is not one of .*, did you mean 'exact'\?" debye "$c60" --method exakt
fails 2 "method: '' is not one of" debye "$c60" --method=
fails 2 'factors: this table is for neutron, but radiation is xray' debye "$c60" --factors sears1992
fails 2 'factors: this table is for xray, but radiation is neutron' debye "$c60" --factors it1992 --radiation neutron
fails 2 'factors: this table is for electron, but radiation is xray' debye "$c60" --factors lobato
fails 2 "anomalous: f' and f'' depend on the energy; give --energy or --wavelength" debye "$c60" --anomalous henke
fails 2 "energy: has no effect without --anomalous" debye "$c60" --energy 8keV
fails 2 "energy: --wavelength is given as well" debye "$c60" --anomalous henke --energy 8keV --wavelength 1.54
fails 2 "energy: '8 m' is not an energy above 0" debye "$c60" --anomalous henke --energy '8 m'
fails 2 "anomalous: f' and f'' belong to form factors for X-rays" debye "$c60" --anomalous henke --energy 8 --radiation electron
fails 2 'atom 1: --energy: 31 keV is outside the table of anomalous scattering of C, 0\.0293 to 30 keV' \
	debye "$c60" --anomalous henke --energy 31keV
make_xyz "$inputs/sodium.xyz" 'Na+ 0 0 0'
fails 2 "atom 1: no form factor for 'Na\+'; the table has Na, ions are in --factors peng" \
	debye "$inputs/sodium.xyz" --radiation electron
fails 2 'q: an ion scatters electrons infinitely strongly at q = 0' \
	debye "$inputs/sodium.xyz" --radiation electron --factors peng --q 0:1:2
printf 'q C\n0 6\n10 2\n' >"$inputs/factors.txt"
fails 2 'factors\.txt: q from 0\.1 to 20 1/Angstrom is not within the table, from 0 to 10' \
	debye "$c60" --form-factors "$inputs/factors.txt"
printf 'q C\n0 6\n0 2\n' >"$inputs/factors.txt"
fails 2 'factors\.txt:3: q must increase from row to row' debye "$c60" --form-factors "$inputs/factors.txt"
fails 2 'tolerance: 0 is out of range: 1e-09 to 0\.01' debye "$c60" --tolerance 0
fails 2 "tolerance: 'small' is not a number" debye "$c60" --tolerance small
fails 2 'bin-width: 1 is out of range: 0 to 0\.1 Angstrom' debye "$c60" --bin-width 1
fails 2 'bin-width: -0\.1 is out of range' debye "$c60" --bin-width -0.1
fails 2 'qdamp: 11 is out of range' debye "$c60" --qdamp 11
fails 2 "window: 'hann' is not one of none\|lorch" debye "$c60" --window hann
fails 2 'threads: -1 is out of range: 0 to 4096' debye "$c60" --threads -1
fails 2 'threads: 5000 is out of range' debye "$c60" --threads 5000
fails 2 "threads: '2.5e0' is not a whole number" debye "$c60" --threads 2.5e0
fails 2 "threads: '010' is not a whole number .*no leading zero" debye "$c60" --threads 010
fails 2 "threads: '' is not a whole number" debye "$c60" --threads=
fails 2 "unknown device 'gpus': use one of auto, gpu, all, cuda:N, opencl:N, cpu" debye "$c60" --device gpus
fails 2 "memory: 'lots' is not a size; write bytes, or 256M, or 2G" debye "$c60" --memory lots
fails 2 "memory: '-1G' is not a size" debye "$c60" --memory -1G
fails 2 "memory: '1\.5G' is not a size" debye "$c60" --memory 1.5G
fails 2 "memory: '99999999999T' is not a possible size" debye "$c60" --memory 99999999999T
fails 2 "memory: 'M' is not a size" debye "$c60" --memory M
fails 2 "force: 'maybe' is not a yes or no" debye "$c60" --force=maybe
fails 2 "unknown option '--frce', did you mean '--force'\?" debye "$c60" --frce
fails 2 "unknown option '--radation', did you mean '--radiation'\?" debye "$c60" --radation neutron
fails 2 "unknown option '--bin_widht=1', did you mean '--bin-width'\?" debye "$c60" --bin_widht=1
fails 2 "unknown option '--sphere'" debye "$c60" --sphere 9
fails 2 "unknown option '-x'; --help lists the valid ones" debye "$c60" -x
fails 2 "unknown option '-ox\.h5'" debye "$c60" -ox.h5
fails 2 "unknown option '---q'" debye "$c60" ---q 1:2:2
fails 2 "unknown option '--=5'" debye "$c60" --=5
fails 2 'output: its value is missing' sonde debye "$c60" --output
fails 2 '--q: its value is missing' sonde debye "$c60" --q
fails 2 'is longer than 4095 bytes' debye "$c60" --plot "$(printf '%05000d' 7).png"

# samples: none, two -----------------------------------------------------------------------------
fails 2 'no sample is given; name an XYZ file' debye
fails 2 'unexpected file' debye "$c60" "$data/Au2.xyz"
fails 2 'more than one sample is given; choose one' debye "$c60" --sample "$data/Au2.xyz"

# outputs ----------------------------------------------------------------------------------------
fails 2 'nowhere/x\.h5: the folder .nowhere. does not exist' sonde debye "$c60" -o nowhere/x.h5
fails 2 'x\.pdf: unknown kind of file; end the name in \.h5' sonde debye "$c60" -o x.pdf
fails 2 'x: unknown kind of file' sonde debye "$c60" -o x
fails 2 'x\.h5\.gz: unknown kind of file' sonde debye "$c60" -o x.h5.gz
fails 2 'x\.png: unknown kind of file' sonde debye "$c60" -o x.png
fails 2 'x\.jpg: pictures are PNG, SVG or PDF files' sonde debye "$c60" --plot x.jpg
mkdir folder.h5
fails 2 'folder\.h5: is a folder' sonde debye "$c60" -o folder.h5
fails 2 'folder\.h5: is a folder' sonde debye "$c60" -o folder.h5 --force
rmdir folder.h5
for kind in h5 xy csv; do
	head -c 3000 /dev/urandom >"old.$kind"
	fails 2 "old\\.$kind: exists already; choose another name or add --force" sonde debye "$c60" -o "old.$kind"
	fails 2 "nowhere\\.xyz: cannot be read" sonde debye nowhere.xyz -o "old.$kind" --force
done
fails 2 'old\.xy/new\.xy: ' sonde debye "$c60" -o old.xy/new.xy
rm old.*

# memory: said before the work, with what would fit ----------------------------------------------
make_xyz "$inputs/long.xyz" 'Au 0 0 0' 'Au 5000 0 0'
fails 2 'not enough memory: this run needs [0-9.]+ [MG]B and 2 MB are allowed; fewer atoms, species or points of q would fit' \
	debye "$inputs/long.xyz" --method histogram --memory 1M
fails 2 'not enough memory: the histogram of 2\.56e\+06 bins on 2 threads needs [0-9.]+ [MG]B and 105 MB are allowed; --threads 1 --bin-width [0-9.e-]+ would fit, and so would --method exact \([0-9]+ MB\)' \
	debye "$inputs/long.xyz" --method histogram --memory 100M --threads 2
[[ $(<"$err") =~ --bin-width\ ([0-9.e-]+)\ would ]]
if [[ ${BASH_REMATCH[1]} == 0.0* ]]; then
	ok "what would fit does fit" sonde debye "$inputs/long.xyz" --q 1:2:2 --method histogram --memory 100M --threads 1 \
		--bin-width "${BASH_REMATCH[1]}" --quiet -o fits.h5
	rm -f fits.h5
fi
# one thread has room, two have not: one does it, with the same result, and it is said
ok "the histogram on both threads" sonde debye "$inputs/long.xyz" --q 1:2:2 --method histogram --memory 1G --threads 2 --quiet -o both.csv
sonde debye "$inputs/long.xyz" --q 1:2:2 --method histogram --memory 375M --threads 2 -o one.csv >"$out" 2>"$err"
check "fewer threads are reported" has_line "$err" 'holds histograms of 2.56e\+06 bins for 1 of 2 threads'
check "fewer threads: the same result" [ "$(grep -v '^#' one.csv)" = "$(grep -v '^#' both.csv)" ]
rm -f one.csv both.csv
ok "and so does --method exact" sonde debye "$inputs/long.xyz" --q 1:2:2 --method exact --memory 100M --quiet -o fits.h5
rm -f fits.h5

# job files --------------------------------------------------------------------------------------
bad_job() { # REGEX TEXT : after the file's name
	printf -- "$2" >"$inputs/job.yaml"
	fails 2 "job\\.yaml$1" sonde debye "$inputs/job.yaml"
}
fails 2 'nowhere\.yaml: cannot be read: No such file' sonde debye nowhere.yaml
mkdir "$inputs/folder.yaml"
fails 2 'folder\.yaml: ' sonde debye "$inputs/folder.yaml"
bad_job ': is empty' ''
bad_job ': is empty' '# nothing but a comment\n'
bad_job ': is empty' '   \n\n'
bad_job ': is empty' '---\n...\n'
bad_job ':1:1: keys with values are expected here' 'just words\n'
bad_job ':1:1: keys with values are expected here' '- sample\n- output\n'
bad_job ': contains zero bytes' 'sample: a\0b\n'
bad_job ':.*: ' '\xff\xfe\xfd\n'
bad_job ':.*: ' 'sample: \x01\n'
bad_job ":1:1: unknown key 'smaple', did you mean 'sample'\?" 'smaple: a.xyz\n'
bad_job ":2:3: unknown key 'radation', did you mean 'radiation'\?" 'debye:\n  radation: xray\n'
bad_job ":3:1: unknown key 'method'" 'sample: a.xyz\n\nmethod: exact\n'
bad_job ":1:1: unknown key 'debey', did you mean 'debye'\?" 'debey: {q: "0.1:20:10"}\n'
bad_job ":1:1: unknown key '<<'" '<<: {sample: a.xyz}\n'
bad_job ":2:6: q: 'abc' is not a grid" 'debye:\n  q: abc\n'
bad_job ":2:6: q: " 'debye:\n  q: [0.1, 20]\n'
bad_job ":2:6: q: " 'debye:\n  q: [0.1, 20, 10.5]\n'
bad_job ':2:6: q: must be a list of numbers' 'debye:\n  q: [0.1, [20], 10]\n'
bad_job ':2:6: q: must be a single value, not a list or a block' 'debye:\n  q: {first: 1}\n'
bad_job ':2:11: method: must be a single value' 'debye:\n  method: [exact]\n'
bad_job ":1:10: threads: 'two' is not a whole number" 'threads: two\n'
bad_job ":1:10: threads: '1\.5e0' is not a whole number" 'threads: 1.5e0\n'
bad_job ":1:10: threads: '010' is not a whole number" 'threads: 010\n'
bad_job ":1:10: threads: '2\.0' is not a whole number" 'threads: 2.0\n'
bad_job ":1:10: threads: '0x10' is not a whole number" 'threads: 0x10\n'
bad_job ':1:10: threads: -1 is out of range' 'threads: -1\n'
bad_job ":1:[0-9]+: threads: '' is not a whole number" 'threads:\n'
bad_job ":1:8: force: '1' is not a yes or no" 'force: 1\n'
bad_job ":2:14: tolerance: '\.nan' is not a number" 'debye:\n  tolerance: .nan\n'
bad_job ':2:14: tolerance: 1 is out of range' 'debye:\n  tolerance: 1\n'
bad_job ":2:1: duplicate key 'sample', first on line 1" 'sample: a.xyz\nsample: b.xyz\n'
bad_job ":3:3: duplicate key 'bin_width', first on line 2" 'debye:\n  bin-width: 0\n  bin_width: 0.01\n'
bad_job ":2:1: duplicate key 'debye', first on line 1" 'debye: {method: exact}\ndebye: {method: auto}\n'
bad_job ':2:9: aliases .* are not allowed' 'sample: &name a.xyz\noutput: *name\n'
bad_job ':1:[0-9]+: .*' 'sample: *nothing\n'
bad_job ':2:1: a second document begins here; a job file has one' 'sample: a.xyz\n---\nsample: b.xyz\n'
bad_job ':2:1: ' 'debye:\n\tmethod: exact\n'
bad_job ':[12]:[0-9]+: ' 'debye: {q: [1, 2\n'
bad_job ':[12]:[0-9]+: ' 'sample: "a.xyz\n'
bad_job ':1:[0-9]+: nested deeper than sixteen levels' "q: $(printf '[%.0s' {1..5000})\n"
bad_job ':[0-9]+:[0-9]+: ' "$(for ((k = 0; k < 40; ++k)); do printf "%${k}sa:\\\\n"; done)"
bad_job ':1:1: a key must be a word' '[a, b]: c\n'
bad_job ':1:3: a key must be a word' '? {a: b}\n: c\n'
bad_job ': is larger than a job file may be' "# $(printf '%070000d' 0)\n"
bad_job ": no sample is given; name an XYZ file as 'sample: FILE', or give a 'build:' block" 'output: x.h5\n'
bad_job ": no sample is given" 'sample:\noutput: x.h5\n'
bad_job ': build: .*lattice constant is missing' 'output: x.h5\nbuild: {cell: fcc, species: Au, sphere: 9}\n'
bad_job ": build: species: unknown species 'Xx'" 'output: x.h5\nbuild: {cell: fcc, species: Xx, a: 4, sphere: 9}\n'
bad_job ':2:8: keys with values are expected here' 'output: x.h5\nbuild: fcc\n'
two() { # REGEX TEXT OPTIONS...
	printf -- "$2" >"$inputs/job.yaml"
	fails 2 "$1" sonde debye "$inputs/job.yaml" "${@:3}"
}
two 'build: .* is a file of atoms, which options of build do not change' "sample: $c60\noutput: x.h5\nbuild: {species: Au, a: 4, sphere: 9}\n"
two 'build: .* is a file of atoms, which options of build do not change' 'output: x.h5\nbuild: {species: Au, a: 4, sphere: 9}\n' --sample "$c60"
two 'unexpected file' "sample: $c60\noutput: x.h5\n" "$c60"
two 'nowhere\.xyz: cannot be read' 'sample: nowhere.xyz\noutput: x.h5\n'
two 'x\.pdf: unknown kind of file' "sample: $c60\noutput: x.pdf\n"
two "unknown option '--sphere'" 'output: x.h5\nbuild: {species: Au, a: 4, sphere: 9}\n' --sphere 8
finish
