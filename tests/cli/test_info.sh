# sonde info: results and samples.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# samples
ok "sample" sonde info "$data/C60.xyz"
check "sample: name" has_line "$out" "^sample +.*C60\.xyz$"
check "sample: atoms" has_line "$out" '^atoms +60$'
check "sample: species" has_line "$out" '^species +60 C$'
check "sample: extent" has_line "$out" '^z +-?[0-9.]+ to [0-9.]+ Angstrom$'
ok "gzip sample" sonde info "$data/CoO_R40.xyz.gz"
check "gzip sample: species" has_line "$out" '^species +[0-9]+ Co$'
check "gzip sample: atoms" has_line "$out" '^atoms +27633$'
{ cat "$data/Au2.xyz"; printf '\n\n'; cat "$data/C60.xyz"; } >"$inputs/frames.xyz"
ok "--frame 1" sonde info "$inputs/frames.xyz" --frame 1
check "--frame 1: atoms" has_line "$out" '^atoms +2$'
ok "--frame 2" sonde info --frame 2 "$inputs/frames.xyz"
check "--frame 2: atoms" has_line "$out" '^atoms +60$'
printf '0\n\n' >"$inputs/none.xyz"
ok "no atoms" sonde info "$inputs/none.xyz"
check "no atoms: said" has_line "$out" '^atoms +0$'
cat >"$inputs/extended.xyz" <<'END'
2
Lattice="8 0 0 0 8 0 0 0 8" Properties=id:I:1:species:S:1:force:R:3:pos:R:3 energy=-1
1 Na 9 9 9 0 0 1.5
2 Cl 9 9 9 0 0 -1e0
END
ok "extended XYZ with other columns" sonde info "$inputs/extended.xyz"
check "extended XYZ: the right columns" has_line "$out" '^z +-1 to 1\.5 Angstrom$'
check "extended XYZ: the cell" has_line "$out" '^cell +8 0 0 Angstrom,$'
check "extended XYZ: a Lattice alone is periodic" has_line "$out" '^periodic +yes, yes, yes$'
sed 's/energy/pbc="F T F" energy/' "$inputs/extended.xyz" >"$inputs/slab.xyz"
ok "extended XYZ with pbc" sonde info "$inputs/slab.xyz"
check "extended XYZ: pbc" has_line "$out" '^periodic +no, yes, no$'
printf '1\n\nAu 0 0 0' >"$inputs/no_end.xyz"
ok "no end of the last line" sonde info "$inputs/no_end.xyz"
printf '1\n\n\t Au \t 0   0\t0 \n\n \n' >"$inputs/blanks.xyz"
ok "tabs, blanks, blank lines at the end" sonde info "$inputs/blanks.xyz"

# what follows from the positions: 2 x 2 x 2 cells of NaCl, by hand
cat >"$inputs/nacl.xyz" <<'END'
8
Lattice="5.64 0 0 0 5.64 0 0 0 5.64" Properties=species:S:1:pos:R:3
Na 0 0 0
Na 0 2.82 2.82
Na 2.82 0 2.82
Na 2.82 2.82 0
Cl 2.82 2.82 2.82
Cl 2.82 0 0
Cl 0 2.82 0
Cl 0 0 2.82
END
ok "a crystal" sonde info "$inputs/nacl.xyz"
check "a crystal: formula" has_line "$out" '^formula +NaCl$'
# 4 (22.99 + 35.453) amu * 1.66054 / 5.64^3
check "a crystal: density" has_line "$out" '^density +2\.163[0-9]* g/cm\^3, in a cell of 179\.406 Angstrom\^3$'
check "a crystal: nearest" has_line "$out" '^nearest +2\.82 Angstrom, on average 2\.82$'
check "a crystal: anions of a cation" has_line "$out" '^neighbors +Na: 6 Cl within 3\.243 Angstrom'
check "a crystal: cations of a cation" has_line "$out" '^neighbors +Na: 12 Na within 4\.586 Angstrom'
ok "a crystal as JSON" sonde info "$inputs/nacl.xyz" --json
check "a crystal: numbers in JSON" grep -q '"formula": "NaCl", "density_g_cm3": 2\.163.*"nearest": {"shortest": 2\.82.*"of": "Na", "species": "Cl", "coordination": 6,' "$out"
ok "a molecule" sonde info "$data/C60.xyz"
check "a molecule: gyration" has_line "$out" '^gyration +radius of 3\.54'
check "a molecule: three neighbors" has_line "$out" '^neighbors +C: 3 C within'
check "a molecule has no density" lacks "$out" density
ok "a sample in HDF5" sonde build --cell fcc --species Au --a 4 --sphere 9 -o ball.h5
ok "HDF5 sample" sonde info ball.h5
check "HDF5 sample: what" has_line "$out" '^sample +ball\.h5$'
ok "the same sample as XYZ" sonde build --cell fcc --species Au --a 4 --sphere 9 -o ball.xyz
for kind in h5 xyz; do
	ok "patterns of samples: $kind" sonde debye ball.$kind --q 1:3:5 -o ball-$kind.csv
done
check "a sample in HDF5 has the same pattern" [ "$(grep -v '^#' ball-h5.csv)" = "$(grep -v '^#' ball-xyz.csv)" ]
# samples of simulation programs
for file in oxide.vasp POSCAR_cartesian oxide.lmp; do
	ok "$file" sonde info "$data/structures/$file"
	check "$file: species" has_line "$out" '^ +2 O$'
	check "$file: cell" has_line "$out" '^ +0\.5 -0\.8 6 Angstrom$'
done
fails 2 'oxide\.dump:15: a second frame begins here; choose one with --frame' sonde info "$data/structures/oxide.dump"
ok "a frame of a dump" sonde info "$data/structures/oxide.dump" --frame 2
check "a frame of a dump: extent" has_line "$out" '^z +3 to 6 Angstrom$'
check "a frame of a dump: periodic" has_line "$out" '^periodic +yes, yes, no$'
fails 2 'oxide\.dump: has 2 frames; frame 3 does not exist' sonde info "$data/structures/oxide.dump" --frame 3
for model in 1 2; do
	printf 'MODEL %8d\nATOM  %5d  CA  GLY A   1    %8.3f%8.3f%8.3f  1.00  0.00           C\nENDMDL\n' $model 1 $model 0 0
done >"$inputs/models.pdb"
ok "a model of a PDB file" sonde info "$inputs/models.pdb" --frame 2
check "a model of a PDB file: extent" has_line "$out" '^x +2 to 2 Angstrom$'
fails 2 'models\.pdb:4: a second model begins here; choose one with --frame' sonde info "$inputs/models.pdb"

# results
ok "a result to look at" sonde debye "$data/CoO_R40.xyz.gz" --q 0.5:10:96 --r 1:9:81 --method histogram -o coo.h5
ok "result" sonde info coo.h5
check "result: what" has_line "$out" '^what +Powder pattern by the Debye equation$'
check "result: version" has_line "$out" '^version +[0-9]+\.[0-9]+\.[0-9]+$'
check "result: date" has_line "$out" '^date +[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]+Z$'
check "result: command" has_line "$out" '^command +sonde debye .*CoO_R40\.xyz\.gz --q 0\.5:10:96 --r 1:9:81 --method histogram -o coo\.h5$'
check "result: sample" has_line "$out" '^sample +.*CoO_R40\.xyz\.gz$'
check "result: checksum" has_line "$out" "^sha256 +$(sha256sum <"$data/CoO_R40.xyz.gz" | cut -d' ' -f1)$"
check "result: device" has_line "$out" '^device +.+ threads$'
check "result: q" has_line "$out" '^q +96 points, 0\.5 to 10 1/Angstrom$'
check "result: r" has_line "$out" '^r +81 points, 1 to 9 Angstrom$'
check "result: bins" has_line "$out" '^bins +[0-9.e-]+ Angstrom wide$'
check "result: time and memory" has_line "$out" '^took +[0-9.e-]+ s, at most [0-9]+ MB of memory$'
check "result: error" has_line "$out" '^error +estimate [0-9.e-]+, bound [0-9.e-]+ \(<f\^2> \+ I/N\); [0-9]+ points of q checked by a more accurate method$'
for option in 'method = histogram' 'factors = waasmaier-kirfel' 'radiation = xray' 'q = 0.5:10:96' 'tolerance = 1e-06'; do
	check "result: option $option" has_line "$out" "^ +$option$"
done
cp coo.h5 "$inputs/renamed.xyz"
ok "a result is known by its content" sonde info "$inputs/renamed.xyz"
check "known by its content" has_line "$out" '^what +Powder pattern'
ok "a result without r" sonde debye "$data/C60.xyz" --q 1:1:1 -o point.h5
ok "info of it" sonde info point.h5
check "without r: no line about r" [ -z "$(while IFS= read -r line; do [[ $line == 'r '* ]] && echo "$line"; done <"$out")" ]

# tables of others, and of ours without their origin: columns and rows; but a sample may be called as tables are
printf 'species,energy_keV,x\nAr,20,0\nH,30,5\n' >"$inputs/list.csv"
ok "a table of others" sonde info "$inputs/list.csv"
check "a table of others: what" has_line "$out" '^what +table of unknown origin$'
check "a table of others: columns" has_line "$out" '^columns +species,energy_keV,x$'
check "a table of others: rows" has_line "$out" '^rows +2$'
printf '# energy intensity\n1 2\n2 3\n4 5\n' >"$inputs/spectrum.txt"
ok "a spectrum" sonde info "$inputs/spectrum.txt"
check "a spectrum: rows" has_line "$out" '^rows +3, the first column from 1 to 4$'
cp "$data/C60.xyz" "$inputs/C60.txt"
ok "a sample in a text file" sonde info "$inputs/C60.txt"
check "a sample in a text file" has_line "$out" '^atoms +60$'

# refusals
mkfifo "$inputs/fifo.h5" "$inputs/fifo.xyz"
fails 2 'fifo\.h5: is a pipe or device, not a file' timeout 20 "$program" info "$inputs/fifo.h5"
fails 2 'fifo\.xyz: is a pipe or device, not a file' timeout 20 "$program" info "$inputs/fifo.xyz"
fails 2 'name a file: sonde info FILE' sonde info
fails 2 'nowhere\.h5: cannot be read: No such file' sonde info nowhere.h5
fails 2 ': is a folder, not a file' sonde info "$inputs"
fails 2 'unexpected file' sonde info coo.h5 coo.h5
fails 2 "unknown option '--frme', did you mean '--frame'\?" sonde info coo.h5 --frme 1
fails 2 "unknown option '--quiet'" sonde info coo.h5 --quiet
size=$(stat -c %s coo.h5)
for part in 9 100 1000 $((size / 2)) $((size - 1)); do
	head -c "$part" coo.h5 >"$inputs/part.h5"
	fails 2 'part\.h5: ' sonde info "$inputs/part.h5"
done
{ head -c 8 coo.h5; head -c 4000 /dev/urandom; } >"$inputs/noise.h5"
fails 2 'noise\.h5: is not an HDF5 file, or is damaged' sonde info "$inputs/noise.h5"
# Files of no kind that is known.
printf '\x89PNG\r\n\x1a\n' >"$inputs/picture.png"
printf '=========== TRIM with various Incident Ions/Energies =========\n= This file\n' >"$inputs/TRIM.DAT"
for file in picture.png TRIM.DAT; do
	fails 2 "$file: is not a kind of file that info describes: .*samples \(XYZ, PDB, PQR, CIF, POSCAR, LAMMPS\)" sonde info "$inputs/$file"
done
# One bit of a dataset, whose numbers are looked for by their bytes: refused, whatever engine wrote it.
bytes_of() { python3 -c 'import struct, sys; sys.stdout.buffer.write(struct.pack(sys.argv[1], *map(float if sys.argv[1][-1] == "d" else int, sys.argv[2:])))' "$@"; }
place_of() { # FILE FORMAT NUMBERS...
	python3 -c 'import sys; print(open(sys.argv[1], "rb").read().find(sys.stdin.buffer.read()))' "$1" < <(bytes_of "${@:2}")
}
damaged_at() { # FILE DATASET PLACE
	cp "$1" "$inputs/flipped.h5"
	check "$1: $2 is found" [ "$3" -gt 0 ]
	flip_bit "$inputs/flipped.h5" "$3" 3
	fails 2 "flipped\.h5: is damaged: it does not match its checksum, or another program has changed it" \
		sonde info "$inputs/flipped.h5"
}
ok "a result of ions" sonde ions --ion As --energy 10keV --target Si -n 77 --device cpu --threads 1 -o as.h5 --quiet
ok "result of ions" sonde info as.h5
printf '2\nProperties=species:S:1:pos:R:3:charge:R:1\nNa 0 0 0 1\nCl 2 0 0 -1\n' >"$inputs/charged.xyz"
ok "a result of coulomb" sonde coulomb "$inputs/charged.xyz" --spacing 0.5 --padding 2 -o phi.h5 --quiet
ok "result of coulomb" sonde info phi.h5
if python3 -c '' 2>/dev/null; then
	damaged_at coo.h5 /debye/intensity/q "$(place_of coo.h5 '<3d' 0.5 0.6 0.7)"
	damaged_at coo.h5 /debye/sample/species_atoms "$(place_of coo.h5 '<2q' 13835 13798)"
	damaged_at as.h5 /ions/summary/ions "$(place_of as.h5 '<q' 77)"
	damaged_at phi.h5 /coulomb/potential/x "$(place_of phi.h5 '<4d' -2 -1.5 -1 -0.5)"
fi
# Holes in the middle: refused or told as far as it goes, but no crash.
for ((at = 100; at < size; at += size / 23)); do
	{ head -c $at coo.h5; head -c 64 /dev/zero; tail -c +$((at + 65)) coo.h5; } >"$inputs/hole.h5"
	sonde info "$inputs/hole.h5" >"$out" 2>"$err" </dev/null
	code=$?
	check "hole at $at: exit code $code is 2, or nothing has changed" [ $code = 2 -o $code = 0 ]
	((code == 2)) || check "hole at $at: nothing has changed" same_files coo.h5 "$inputs/hole.h5"
	((code == 0)) || check "hole at $at: one line" one_line 'hole\.h5'
done
fails 2 'frames\.xyz:7: a second frame begins here; choose one with --frame' sonde info "$inputs/frames.xyz"
fails 2 'frames\.xyz: has 2 frames; frame 3 does not exist' sonde info "$inputs/frames.xyz" --frame 3
# pictures
ok "--plot" sonde info "$inputs/nacl.xyz" --plot nacl.png
check "--plot: said" has_line "$out" '^picture +nacl\.png$'
check "--plot: a PNG picture" [ "$(head -c 8 nacl.png | od -An -tx1 | tr -d ' ')" = 89504e470d0a1a0a ]
check "--plot: with many colors" [ "$(wc -c <nacl.png)" -gt 60000 ]
fails 2 'nacl\.png: exists' sonde info "$inputs/nacl.xyz" --plot nacl.png
fails 2 'plot: the sample has no atoms' sonde info "$inputs/none.xyz" --plot new.png
fails 2 'x\.jpg: pictures are PNG, SVG or PDF files' sonde info "$inputs/nacl.xyz" --plot x.jpg
ok "a table to describe" sonde debye "$data/Au2.xyz" --q 1:2:3 -o table.h5
fails 2 'plot: info draws samples only' sonde info table.h5 --plot new.png
finish
