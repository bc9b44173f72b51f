# sonde ions: states of matter, thresholds, numbers, and lists of particles in all accepted forms.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
export SONDE_DATA=$here/../../data

ions() { sonde ions "$@"; }
few=64
helium=(--ion He --energy 5keV -n $few --device cpu --threads 1)
has_note() { # REGEX
	[ "$(grep -c "^sonde: warning: $1" "$err")" = 1 ]
}

# a gas is treated as a gas, with a note unless it was requested
sonde ions "${helium[@]}" --target Ar >"$out" 2>"$err"
check "a gas: reports it" has_note '--target: Ar is a gas, of 0\.00166201 g/cm.3 at 20 C and 1 atm; Ar@liquid, or Ar@ '
check "a gas: in the table" has_line "$out" '^# layer 1: Ar from 0 Angstrom on, 0\.00166201 g/cm.3 \(gas\), '
ok "a gas that is asked for" ions "${helium[@]}" --target Ar@gas
ok "a liquid" ions "${helium[@]}" --target Ar@liquid
check "a liquid: in the table" has_line "$out" '^# layer 1: Ar .* 1\.3954 g/cm.3 \(liquid\), '
ok "a density" ions "${helium[@]}" --target Ar@1.784e-3
check "a density: in the table" has_line "$out" '^# layer 1: Ar .* 0\.001784 g/cm.3 \(given\), '
ok "a named gas" ions "${helium[@]}" --target argon
sonde stopping --ion He --target D2 --energies 1MeV >"$out" 2>"$err"
check "stopping: reports it" has_note '--target: D2 is a gas, of 0\.000167359 '
check "stopping: in the table" has_line "$out" '^# target: D2, 0\.000167359 g/cm.3 \(gas\), '
fails 2 "target: 'steam' is not a density: give it as Ar@2.2, in g/cm.3, or a state, as Ar@gas" ions "${helium[@]}" --target Ar@steam
fails 2 'target: Si is a solid at 20 C' ions "${helium[@]}" --target Si@gas
ok "help: materials" sonde help materials
check "help: states" has_line "$out" '^liquid-argon  *1\.3954  *g/cm.3  liquid$'

# thresholds in force, and where they come from
layers=(--target SiO2:50nm/Sr --displacement O=30,Si@1=16 --lattice O=2)
ok "thresholds" ions "${helium[@]}" "${layers[@]}" -o thresholds.csv
for line in 'Si in layer 1: displacement 16 eV \(given\), lattice 3 eV \(default\), surface binding 4\.7 eV \(table\)' \
	'O in layer 1: displacement 30 eV \(given\), lattice 2 eV \(given\), surface binding 2 eV \(default\)' \
	'Sr in layer 2: displacement 25 eV \(table\), lattice 3 eV \(default\), surface binding 1\.7 eV \(table\)'; do
	check "thresholds: summary" has_line "$out" "^thresholds of $line\$"
	check "thresholds: table" has_line thresholds.csv "^# thresholds of $line\$"
done
ok "thresholds: file" ions "${helium[@]}" "${layers[@]}" -o thresholds.h5
ok "thresholds: info" sonde info thresholds.h5
check "thresholds: in info" has_line "$out" '  *thresholds of O in layer 1: displacement 30 eV \(given\), lattice 2 eV \(given\), '

# decimal commas are not columns
spectrum() { printf "$1" >"$inputs/spectrum.txt"; }
spectrum '9,5 0,0\n10,5 1,0\n11,5 0,0\n'
fails 2 "spectrum\.txt:1: '9,5 0,0' has commas and blanks between numbers: decimals have a point" \
	ions "${helium[@]}" --energy "$inputs/spectrum.txt" --target C
spectrum '9,5;0,0\n10,5;1,0\n'
fails 2 "spectrum\.txt:1: '9,5;0,0' has decimal commas" ions "${helium[@]}" --energy "$inputs/spectrum.txt" --target C
spectrum '9,5,0,0\n10,5,1,0\n'
fails 2 "spectrum\.txt:1: '9,5,0,0' may be 4 whole numbers, or fewer with decimal commas" \
	ions "${helium[@]}" --energy "$inputs/spectrum.txt" --target C
spectrum '9.5,0.0\n10.5,1.0\n11.5,0.0\n'
ok "commas between columns" ions "${helium[@]}" --energy "$inputs/spectrum.txt" --target C
check "commas between columns: the energy" has_line "$out" '^# ion: He, 4\.003 amu, 10500 eV on average, 9500 to 11500 eV$'
printf '10,5 1,0\n100,5 1,0\n' >"$inputs/stopping.txt"
fails 2 "stopping\.txt:1: .* has commas and blanks" ions "${helium[@]}" --stopping-table "$inputs/stopping.txt" --target C
printf '2\n\nNa 0 0 0\nCl 2.8 0 0\n' >"$inputs/pair.xyz"
printf '1,5 2,0 3,5\n' >"$inputs/points.txt"
fails 2 "points\.txt:1: .* has commas and blanks" sonde coulomb "$inputs/pair.xyz" --charges Na=1,Cl=-1 --points "$inputs/points.txt"

# whole numbers in e-notation, energies below which ions stop, names of particles
ok "1.5e2 ions" ions --ion He --energy 5keV --target C -n 1.5e2 --device cpu --threads 1
check "1.5e2 ions: so many" has_line "$out" '^# ions: 150;'
fails 2 "number: '1\.5e0' is not a whole number" ions --ion He --energy 5keV --target C -n 1.5e0
fails 2 "number: 1e\+30 is out of range: 0 to 1e\+12 are possible" ions --ion He --energy 5keV --target C -n 1e30
fails 2 "number: 1e\+20 is out of range" ions --ion He --energy 5keV --target C -n 100000000000000000000
fails 2 "ion: 'p' is not an element: write 'proton' or 'H', or 'P' for phosphorus" ions --ion p --energy 5keV --target C
printf 'ions:\n  ion: alpha\n  energy: 5keV\n  target: C\n  number: 1e2\n  bins: 1e1\n' >"$inputs/e.yaml"
ok "e-notation in a job" ions "$inputs/e.yaml" --device cpu --threads 1
check "e-notation in a job: ions" has_line "$out" '^# ions: 100;'
check "e-notation in a job: bins" [ "$(rows "$out")" = 10 ]
check "alpha: its mass" has_line "$out" '^# ion: alpha, 4\.0026[0-9]* amu, '
fails 2 'cutoff: 6000 eV is not below the energy of the ions, 5000 eV' ions "${helium[@]}" --target C --cutoff 6000
for particle in 'proton 1\.0078' 'Deuteron 2\.0141' 'triton 3\.0160' 'helion 3\.0160' 'He-4 4\.0026'; do
	ok "${particle% *}" sonde stopping --ion "${particle% *}" --target C --energies 1MeV
	check "${particle% *}: its mass" has_line "$out" "^# ion: ${particle% *}, ${particle#* }[0-9]* amu"
done
fails 2 "ion: 'alpa' is not an element, an isotope \(3He\) or a particle \(alpha\), did you mean 'alpha'" ions --ion alpa --energy 5keV --target C
sed 's/= C =        6 /= C =        7 /' "$data/ions/trim_h_c.in" >"$inputs/c7.in"
fails 2 'c7\.in:13: the atom is named C, but atomic number 7 is N; correct one of them' ions "$inputs/c7.in"
ion_in() { # NUMBER MASS
	sed "s/^ *1 *1\.00[0-9]* /  $1 $2 /" "$data/ions/trim_h_c.in" >"$inputs/mass.in"
}
ion_in 7 35.000
fails 2 'mass\.in:[0-9]+: atomic number 7 is N, but 35 amu is the mass of Cl; correct one of them' ions "$inputs/mass.in"
ion_in 7 50
fails 2 "mass\.in:[0-9]+: the ion's mass = 50 is not from 7\.00[0-9]* to 43\.4" ions "$inputs/mass.in"
ion_in 7 15.000
ok "TRIM.IN: 15N" ions "$inputs/mass.in" -n 10 --device cpu

# lengths with prefixes for people, as they are in files; tables are described
ok "mm" ions --ion alpha --energy 5.5MeV --target air -n 16 --device cpu --threads 1 --always-within 0 -o air.csv
check "mm: summary" has_line "$out" '^range  *[34][0-9]\.[0-9]* ± [0-9.]* mm$'
check "mm: energy" has_line "$out" '^16 ions alpha of 5\.5 MeV, '
check "mm: Angstrom in files" has_line air.csv '^# range: [34][0-9.e+]*e\+08 .*Angstrom'
ok "info of a table" sonde info air.csv
check "info of a table: what" has_line "$out" '^what  *table of sonde ions$'
check "info of a table: command" has_line "$out" '^command  *sonde ions --ion alpha '
check "info of a table: units" has_line "$out" '^units  *Angstrom,Angstrom,1/Angstrom,1/Angstrom,eV/Angstrom,eV/Angstrom,'
check "info of a table: columns" has_line "$out" '^columns  *x_begin,x_end,implanted_ions,'
check "info of a table: rows" has_line "$out" '^rows  *100, the first column from 0 to '
ok "a table of stopping" sonde stopping --ion H --target Si --energies 1keV:1MeV:7 -o s.csv
ok "info of stopping" sonde info s.csv
check "info of stopping: what" has_line "$out" '^what  *table of sonde stopping$'
check "info of stopping: rows" has_line "$out" '^rows  *7, the first column from 1 to 1000$'
ok "a table of debye" sonde debye "$data/C60.xyz" --q 1:2:3 -o d.xy
ok "info of debye" sonde info d.xy
check "info of debye: rows" has_line "$out" '^rows  *3, the first column from 1 to 2$'

# lists of particles: one that is the beam has its numbers, whatever follows it
numbers() { # NAME OPTIONS...
	sonde ions "${@:2}" --json >"$inputs/$1.all" 2>"$inputs/$1.log" || fail "$1" "exit $?: $(tail -1 "$inputs/$1.log")"
	sed -n '/"range"/{s/"seconds": [0-9.]*, //;s/"times": .*\("notes": \)/\1/;p}' "$inputs/$1.all" >"$inputs/$1"
	check "$1: there are numbers" [ -s "$inputs/$1" ]
}
into=(--target SiO2:20nm/Si)
numbers beam --ion Ar --energy 20keV "${into[@]}" -n $few --device cpu
printf 'species,energy_keV,x,y,z,cos_x,cos_y,cos_z\nAr,20,0,0,0,1,0,0\n' >"$inputs/one.csv"
numbers one_row --particles "$inputs/one.csv" "${into[@]}" -n $few --device cpu
check "a list of one row: the beam" same_files "$inputs/beam" "$inputs/one_row"
printf 'atomic_number;energy_MeV;depth_nm;theta\n18;0.02;-3;0\n' >"$inputs/other.csv"
numbers other_row --particles "$inputs/other.csv" "${into[@]}" -n $few --device cpu
check "a list with other names and units: the beam" same_files "$inputs/beam" "$inputs/other_row"
printf 'TRIM with various ions\n Event  Atom  Energy  Depth ...\n\n' >"$inputs/TRIM.DAT"
printf '%5d 18 20000 0 0 0 1.000 0.0 0.0\r\n' 1 2 3 >>"$inputs/TRIM.DAT"
numbers trim_dat --particles "$inputs/TRIM.DAT" "${into[@]}" -n $few --device cpu
check "TRIM.DAT: the beam" same_files "$inputs/beam" "$inputs/trim_dat"
printf 'species energy_keV\nAr 20\n' >"$inputs/energies.csv"
numbers energies --particles "$inputs/energies.csv" "${into[@]}" -n $few --device cpu
check "a list without places: the beam" same_files "$inputs/beam" "$inputs/energies"

# of TRIM.DAT no row is dropped, the first one neither; a table with names may be called .dat, too
printf 'hdr\n1 14 1,0e4 0 0 0 1 0 0\n2 14 2e4 0 0 0 1 0 0\n' >"$inputs/comma.dat"
fails 2 "comma\.dat:2: the energy = '1,0e4' is not a finite number; decimals have a point" ions --particles "$inputs/comma.dat" --target C
printf 'hdr\n1 14 2e4 0 0 0 1 0 O\n' >"$inputs/last.dat"
fails 2 "last\.dat:2: a cosine = 'O' is not a finite number" ions --particles "$inputs/last.dat" --target C
printf 'hdr\n1 14 2e4 0 0 0 1 0 0 0\n' >"$inputs/ten.dat"
fails 2 'ten\.dat:2: a row of TRIM\.DAT has a name, the atomic number' ions --particles "$inputs/ten.dat" --target C
printf 'TRIM of 2 ions\n--- --- --- --- --- --- --- --- ---\n' >"$inputs/heading.dat"
fails 2 'heading\.dat: has no particles' ions --particles "$inputs/heading.dat" --target C
printf '# a list\n\nspecies,energy_keV\nAr,20\n' >"$inputs/named.dat"
numbers named_dat --particles "$inputs/named.dat" "${into[@]}" -n $few --device cpu
check "a table called .dat: the beam" same_files "$inputs/beam" "$inputs/named_dat"

# ions continue behind a foil that they have passed
ok "a foil" ions --ion Ar --energy 20keV --target C:5nm -n 40 --device cpu --srim foil
cp foil/TRANSMIT.txt "$inputs/foil.dat"
passed_foil=$(grep -c '^T' foil/TRANSMIT.txt)
ok "behind the foil" ions --particles "$inputs/foil.dat" --target vacuum:20nm/Si --device cpu -o behind.csv
check "behind the foil: as many" has_line behind.csv "^# ions: $passed_foil;"
printf 'species,energy_keV\nHe,5\nH,5\n' >"$inputs/two.csv"
fails 2 'srim: these files are for one ion, the list of particles has 2' ions --particles "$inputs/two.csv" --target C --srim lists

# several species, each with its stopping; as many histories as rows
printf 'species,energy [keV],x (nm),y,z,theta,phi\nproton,100,0,0,0,0,0\nAu,300,10,5,5,60,90\n7Li,84,30,0,0,180,0\nalpha,147,30,0,0,0,0\n' >"$inputs/mixed.csv"
mixed=(--particles "$inputs/mixed.csv" --target C:3um)
ok "several species" ions "${mixed[@]}" --threads 1 --device cpu
check "several species: as many as rows" has_line "$out" '^# ions: 4;'
check "several species: energy" has_line "$out" '^# energy per ion: 157750 eV brought in'
check "several species: not one ion" has_line "$out" '^# ion: several, 4 species, 157750 eV on average$'
check "several species: each" has_line "$out" '^# ion Au: 19[67][0-9.]* amu, 1 of the list, 300000 eV$'
ok "several species: a file" ions "${mixed[@]}" --device cpu -o mixed.h5
check "several species: a summary" has_line "$out" '^4 ions of 4 species, 157\.75 keV on average, '
ok "several species: info" sonde info mixed.h5
check "several species: info of the beam" has_line "$out" '^beam +ion: several, 4 species, 157750 eV on average$'
printf 'species,energy_keV\nHe,5\nHe,7\n' >"$inputs/helium.csv"
ok "one species, several energies" ions --particles "$inputs/helium.csv" --target C --device cpu
check "one species, several energies" has_line "$out" '^# ion: He, 4\.0[0-9]* amu, 6000 eV on average, 5000 to 7000 eV$'
printf 'species,energy_eV\nH,1\nH,50\nH,1000\n' >"$inputs/slow.csv"
ok_warned 'cutoff: 2 of the 3 particles of the list have 50 eV or less' "slow particles" ions --particles "$inputs/slow.csv" \
	--target C --cutoff 50 --device cpu
numbers two_threads "${mixed[@]}" -n 66 --threads 2 --device cpu
numbers one_thread "${mixed[@]}" -n 66 --threads 1 --device cpu
numbers emulated "${mixed[@]}" -n 66 --device emulated
check "several species: any number of threads" same_files "$inputs/one_thread" "$inputs/two_threads"
check "several species: the kernels of GPUs" same_files "$inputs/one_thread" "$inputs/emulated"
# each alone: as those of the list with the same number; 100 keV protons are at 7000 Angstrom, 300 keV gold at 900 and 30 degrees up
for row in 'proton 100 1' 'Au 300 2'; do
	read -r ion energy number <<<"$row"
	awk -F, -v n="$number" 'NR == 1 || NR == n + 1' "$inputs/mixed.csv" >"$inputs/alone.csv"
	ok "$ion of a list" ions --particles "$inputs/alone.csv" --target C:3um --stopping srim13 -n 200 --device cpu --threads 1 -o "$ion.csv"
done
check "protons of a list: range" awk '/^# range:/ {found = $3 > 6700 && $3 < 7400} END {exit !found}' proton.csv
check "gold of a list: range" awk '/^# range:/ {found = $3 > 500 && $3 < 800} END {exit !found}' Au.csv

# recoils inside the target: anywhere between two depths, in any direction
ok "a source inside" ions --ion Si --energy 100eV --target Si:2000nm --start-depth 200nm:1800nm --direction isotropic -n 4000 --device cpu -o inside.csv
check "a source inside: mean depth" awk '/^# range:/ {found = $3 > 9700 && $3 < 10300} END {exit !found}' inside.csv
check "a source inside: (1800 - 200)/sqrt(12) nm" awk '/^# range:/ {for (k = 1; k < NF; ++k) if ($k == "straggling") found = $(k + 1) > 4520 && $(k + 1) < 4720} END {exit !found}' inside.csv
ok "half to either side" ions --ion H --energy 100keV --target C:1nm --start-depth 5 --direction isotropic -n 4000 --device cpu -o half.csv
check "half to either side: fates" awk '/^# ions:/ {for (k = 1; k < NF; ++k) if ($k == "transmitted") part = $(k + 3)} END {exit !(part > 0.475 && part < 0.525)}' half.csv

# from behind: at the end of the target, and beyond it, when they fly to it
printf 'species,energy_keV,x_nm,cos_x,cos_y,cos_z\nHe,5,100,-1,0,0\n' >"$inputs/end.csv"
printf 'species,energy_keV,x_nm,cos_x,cos_y,cos_z\nHe,5,130,-1,0,0\n' >"$inputs/beyond.csv"
numbers end --particles "$inputs/end.csv" --target C:100nm -n $few --device cpu
numbers beyond --particles "$inputs/beyond.csv" --target C:100nm -n $few --device cpu
check "from behind: most stay" [ "$(sed -n 's/.*"implanted": \([0-9]*\).*/\1/p' "$inputs/end")" -gt $((few / 2)) ]
check "from behind: from further away" same_files "$inputs/end" "$inputs/beyond"

# keys of a list must be valid, and each given once
wrong_list() { # REGEX TEXT OPTIONS...
	printf "$2" >"$inputs/list.csv"
	fails 2 "$1" ions --particles "$inputs/list.csv" --target C "${@:3}"
}
wrong_list 'list\.csv:1: the first row must name the columns' '1,2,3\n'
wrong_list "list\.csv:1: the column 'energy' has no unit: write energy_keV" 'species,energy\nHe,5\n'
wrong_list "list\.csv:1: the column 'weight' is not one of species" 'species,energy_keV,weight\nHe,5,1\n'
wrong_list "list\.csv:1: the column 'x' has the unit 'km'" 'species,energy_keV,x [km]\nHe,5,1\n'
wrong_list 'list\.csv:1: two columns have the name' 'species,x,energy_keV,x\nHe,5,1,1\n'
wrong_list "list\.csv:2: ion: 'Hx' is not an element" 'species,energy_keV\nHx,5\n'
wrong_list 'list\.csv:3: an energy of 0 eV is not from 1 eV' 'species,energy_keV\nHe,5\nHe,0\n'
wrong_list 'list\.csv:2: 3 columns, but 2 are named' 'species,energy_keV\nHe,5,5\n'
wrong_list 'list\.csv:2: .* are not the cosines of a direction' 'species,energy_keV,cos_x,cos_y,cos_z\nHe,5,1,1,0\n'
wrong_list 'list\.csv:2: the particle starts in front of the surface and flies away' 'species,energy_keV,x,theta\nHe,5,-10,120\n'
wrong_list 'list\.csv: particle 1 starts at a depth of 500 Angstrom, beyond the target, which ends at 100' 'species,energy_keV,x_nm\nHe,5,50\n' --target C:10nm
wrong_list 'list\.csv: particle 2 starts in front of the surface, at -5 nm; .*: give the list directions' 'species,energy_keV,x_nm\nHe,5,0\nHe,5,-5\n' --divergence 1
wrong_list 'list\.csv: particle 1 starts in front of the surface, at -50 Angstrom; ' 'species,energy_keV,x\nHe,5,-50\n' --direction isotropic
wrong_list 'list\.csv:2: a position of -2e\+13 Angstrom is beyond the largest one, 1e\+13 Angstrom' 'species,energy_keV,x\nHe,5,-2e13\n'
# before the surface they fly to it with the beam's direction, too
printf 'species,energy_keV,x,y\nHe,5,-50,0\nHe,5,0,0\n' >"$inputs/before.csv"
printf 'species,energy_keV,x,y\nHe,5,0,28.867513459481287\nHe,5,0,0\n' >"$inputs/there.csv"
for list in before there; do
	ok "particles $list" ions --particles "$inputs/$list.csv" --target C --angle 30 -n 64 --device cpu
	grep -v '^#' "$out" >"$inputs/$list"
done
check "particles before the surface fly to it with the beam" same_files "$inputs/before" "$inputs/there"
wrong_list 'list\.csv:2: theta and phi are from -360 to 360 degrees' 'species,energy_keV,theta\nHe,5,1e300\n'
wrong_list 'list\.csv: has no particles' 'species,energy_keV\n'
wrong_list 'ion: the list of --particles already gives species' 'species,energy_keV\nHe,5\n' --ion H
wrong_list 'energy: the list of --particles already gives energies' 'species,energy_keV\nHe,5\n' --energy 1keV
wrong_list 'start-depth: the list of --particles already gives positions' 'species,energy_keV,x\nHe,5,0\n' --start-depth 10
wrong_list 'energy: not given' 'species,x\nHe,5\n'
fails 2 "start-depth: 'deep' is not a depth" ions --ion He --energy 1keV --target C --start-depth deep
fails 2 'start-depth: 20:10: the last depth must be above the first' ions --ion He --energy 1keV --target C --start-depth 20:10
fails 2 'direction: isotropic cannot be used with' ions --ion He --energy 1keV --target C --direction isotropic --angle 10

# particles that leave the target: by kind and side, with energies and angles, and the same in two parts
sputter=(--ion Ar --energy 1keV --target W:3nm --surface planar --flight monolayer --screening kr-c --device cpu)
ok "what leaves" ions "${sputter[@]}" -n 256 -o whole.h5
check "what leaves: R_N" has_line "$out" '^reflected ions: R_N 0\.[0-9]* \+- [0-9.]*, R_E 0\.[0-9]* \+- [0-9.]*$'
for side in 'through x = 0' 'at the other end'; do
	check "what leaves $side" has_line "$out" "^leaving $side, W: 0\\.[0-9]* \\+- [0-9.]* per ion, mean energy [0-9.]* \\+- [0-9.]* eV, mean cosine 0\\.[0-9]* \\+- "
done
ok "what leaves: a part" ions "${sputter[@]}" -n 100 -o parts.h5
ok "what leaves: the rest" ions "${sputter[@]}" -n 256 -o parts.h5 --resume
ok "what was resumed: info" sonde info parts.h5
check "what was resumed: time of the earlier run" has_line "$out" '^took +[0-9.e-]+ s after [0-9.e-]+ s of earlier runs, '
sonde info whole.h5 | sed -n '/^leaving/,/^target/p' | grep -v '^target' >"$inputs/whole"
sonde info parts.h5 | sed -n '/^leaving/,/^target/p' | grep -v '^target' >"$inputs/parts"
check "what leaves: info" [ "$(wc -l <"$inputs/whole")" = 6 ]
check "what leaves: in two parts" same_files "$inputs/whole" "$inputs/parts"
# a thin foil hardly turns fast ions: 1 - cos is far less than the width of a bin
ok "what leaves: nearly straight on" ions --ion He --energy 2MeV --target C:50nm -n 1000 --device cpu
check "what leaves: the mean cosine itself, with an error" has_line "$out" \
	'^# leaving at the other end, ion He: 1 \+- 0 per ion, .*, mean cosine 0\.9999[0-9]* \+- [0-9.]*e-0[5-7]$'

finish
