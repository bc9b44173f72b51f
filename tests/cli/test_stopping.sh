# sonde stopping: tables, units, SRIM's layout, users' tables, job files, and invalid input.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
export SONDE_DATA=$here/../../data

stopping() { sonde stopping "$@"; }
# the number in column K of row N of a table
value() { # FILE N K
	row "$1" "$2" && printf '%s' "${row[$3]}"
}

# H in C as SRIM prints it: tests/data/ions/srim_H_in_C.csv
ok "table" stopping --ion H --target C@2.253 --stopping srim13 --units MeVcm2/mg --energies 10keV,100keV,1MeV
cp "$out" "$inputs/table"
check "table: rows" [ "$(rows "$inputs/table")" = 3 ]
check "table: energy in keV" [ "$(value "$inputs/table" 2 0)" = 1000 ]
check "table: electronic" near "$(value "$inputs/table" 0 1)" 0.4133 0.0005
check "table: nuclear" near "$(value "$inputs/table" 0 2)" 0.005977 0.00001
check "table: range in Angstrom" near "$(value "$inputs/table" 1 3)" 7039 70
check "table: lateral straggling" near "$(value "$inputs/table" 1 5)" 740 50
check "table: names its unit" has_line "$inputs/table" '^# energy \[keV\] .*\[MeV / \(mg/cm2\)\]'
check "table: says the ion" has_line "$inputs/table" '^# ion: H, 1\.008 amu$'
check "table: says the target" has_line "$inputs/table" '^# target: C, 2\.253 g/cm\^3, 0\.1129[0-9]* atoms/Angstrom\^3: C 1$'
check "table: says the command" has_line "$inputs/table" '^# command: sonde stopping --ion H --target C@2\.253'

# pictures
ok "picture" stopping --ion He --target Si --plot he.svg -o he.csv
check "picture: curves" grep -q 'projected range ± straggling' he.svg
check "picture: axes" grep -q 'stopping (eV / Angstrom)' he.svg
ok "picture: linear axes" stopping --ion He --target Si --energies 1keV,2keV,5keV --plot linear.pdf --plot-axes linear
check "picture: a PDF" grep -qa '^%PDF-' linear.pdf
fails 2 'png, .svg' stopping --ion He --target Si --plot he.gif

ok "isotopes and a factor" stopping --ion H --target 'D2O*0.9' --energies 100keV
check "isotopes and a factor: said" has_line "$out" '^# target: D2O, 1\.1[0-9]* g/cm\^3 \(liquid\), .*: 2H 0\.666667, O 0\.333333; electronic stopping times 0\.9$'
ok "two factors" stopping --ion H --target 'D2O*0.9' --stopping-factor 0.5 --energies 100keV --srim factor.txt -o factor.csv
check "two factors: said" has_line factor.csv '; electronic stopping times 0\.45$'
check "two factors: in SRIM's layout" contains factor.txt ' Bragg Correction = -55.00%'

# units: 1 eV/Angstrom is 10 keV/um; and the same numbers with any threads
ok "eV/A" stopping --ion He --target SiO2 --energies 100keV
angstrom=$(value "$out" 0 1)
ok "keV/um" stopping --ion He --target SiO2 --energies 100keV --units keV/um
check "units: ten of them" near "$(value "$out" 0 1)" "${angstrom}e1" 0.0001
micron=$(value "$out" 0 1)
ok "MeV/mm" stopping --ion He --target SiO2 --energies 100keV --units MeV/mm
check "units: MeV/mm is keV/um" [ "$(value "$out" 0 1)" = "$micron" ]
ok "one thread" stopping --ion Ar --target SiO2 --threads 1
grep -v '^#' "$out" >"$inputs/one"
ok "three threads" stopping --ion Ar --target SiO2 --threads 3
grep -v '^#' "$out" >"$inputs/three"
check "any number of threads" same_files "$inputs/one" "$inputs/three"
check "SRIM's round numbers from 10 keV to 10 MeV" [ "$(rows "$inputs/one")" = 79 ]

# files
ok "csv" stopping --ion 11B --target Si --energies 1keV:1MeV:7 -o b.csv
check "csv: summary" has_line "$out" '^11B \(11\.009[0-9]* amu\) in Si, 2\.32[0-9]* g/cm\^3 \(solid\): 7 energies, '
check "csv: names of the columns" has_line b.csv '^energy,electronic,nuclear,range,range_straggling,lateral_straggling,path,straggling$'
check "csv: rows" [ "$(rows b.csv)" = 7 ]
fails 2 'b\.csv: exists already' stopping --ion 11B --target Si -o b.csv
ok "csv: --force" stopping --ion 11B --target Si -o b.csv --force --quiet
check "csv: --quiet" is_empty "$out"
ok "json" stopping --ion D --target W -o d.dat --json
check "json: is one" is_json "$(tail -n 1 "$out")"
check "json: the mass of deuterium" has_line "$out" '"ion_mass": 2\.014'
fails 2 'b\.csv: is given twice' stopping --target Si -f -o b.csv --srim b.csv
fails 2 'a\.png: unknown kind of file; end the name in \.h5, \.hdf5, \.nxs, \.csv, \.dat, \.txt or \.xy' stopping --target Si -o a.png

# HDF5, described by info
ok "h5" stopping --ion He --target SiO2 -o a.h5
ok "info" sonde info a.h5
check "info: the ion" has_line "$out" '^ion +He$'
check "info: the target" has_line "$out" '^target +SiO2$'
check "info: the energies" has_line "$out" '^energies +[0-9]+ .*10000 .*1e\+07 eV|^energies '
ok "info: JSON" sonde info a.h5 --json
check "info: the density" has_line "$out" '"density": 2\.'

# SRIM's layout, which reads back as a table of one's own
ok "srim" stopping --ion He --target SiO2 --units keVcm2/mg --energies 1keV:10MeV --srim sr.txt
check "srim: ends of lines" [ "$(grep -c $'\r$' sr.txt)" = "$(wc -l <sr.txt)" ]
check "srim: ion" contains sr.txt ' Ion = He [2] , Mass = 4.003 amu'
check "srim: density" contains sr.txt ' Target Density =  2.2000E+00 g/cm3 = 6.61'
check "srim: composition" contains sr.txt '     Si     14     33.33     46.7'
check "srim: unit" contains sr.txt ' Stopping Units =  keV / (mg/cm2)'
check "srim: a row" has_line sr.txt '^ +100\.00 keV   [0-9.]+E\+0[0-9]  [0-9.]+E[-+]0[0-9] +[0-9]+ A +[0-9]+ A +[0-9]+ A'
check "srim: range in um" has_line sr.txt '^ +10\.00 MeV .* [0-9]+\.[0-9]{2} um '
check "srim: the other units" contains sr.txt 'eV / (1E15 atoms/cm2)'
ok "stopping table" stopping --ion He --target SiO2 --stopping-table sr.txt --energies 100keV
check "stopping table: as what it was made from" near "$(value "$out" 0 1)" "$angstrom" 0.02
printf '10 7\n100 7\n1000 7\n' >"$inputs/flat.txt"
ok "columns" stopping --ion He --target SiO2 --stopping-table "$inputs/flat.txt" --energies 55keV
check "columns: flat" near "$(value "$out" 0 1)" 7 0.000001
ok "factor" stopping --ion He --target SiO2 --stopping-table "$inputs/flat.txt" --energies 55keV --stopping-factor 0.5
check "factor: half" near "$(value "$out" 0 1)" 3.5 0.000001
printf '10 7\n100 six\n' >"$inputs/damaged.txt"
fails 2 'damaged\.txt:2: .*six' stopping --target Si --stopping-table "$inputs/damaged.txt"
fails 2 'sr\.txt:9: the table is for ions of atomic number 2, not 1' stopping --target SiO2 --stopping-table sr.txt
fails 2 '1e\+07 keV is beyond 10[0-9.]* keV, the highest energy' stopping --ion He --target SiO2 --stopping-table sr.txt --energies 10GeV
fails 2 'flat\.txt: would replace' stopping --ion He --target SiO2 --stopping-table "$inputs/flat.txt" -f -o "$inputs/flat.txt"

# job files
printf 'stopping:\n  ion: As\n  target: Si\n  energies: 50keV\n' >"$inputs/job.yaml"
ok "job" stopping "$inputs/job.yaml"
check "job: range of 50 keV As in Si" near "$(value "$out" 0 3)" 398 4
ok "job: the command line takes precedence" stopping "$inputs/job.yaml" --energies 5keV
check "job: range of 5 keV" near "$(value "$out" 0 3)" 75 25
printf 'stopping:\n  iron: As\n' >"$inputs/wrong.yaml"
fails 2 "wrong\.yaml:2:3: .*iron" stopping "$inputs/wrong.yaml"

# other sources
for source in srim13 dpass21 lindhard zbl none; do
	ok "--stopping $source" stopping --ion N --target Fe --stopping "$source" --energies 10keV
done
check "none: no electronic stopping" [ "$(value "$out" 0 1)" = 0 ]
without_data() { SONDE_DATA=$inputs sonde stopping "$@"; }
lacks='not found in .*inputs; set SONDE_DATA to the folder that contains it, or install the package sonde-noncommercial-data, which is not free for commercial use, or use --stopping zbl, which needs no file'
for source in srim13 dpass21; do
	fails 2 "stopping_$source\\.i16: $lacks" without_data --target Si --stopping "$source" -o without.csv
	fails 2 "stopping_$source\\.i16: $lacks" without_data --target Si --compare "$source" -o without.csv
done
check "nothing written without the table" [ ! -e without.csv ]
ok "lindhard needs no file" without_data --target Si --stopping lindhard

# the default: protons of 100 keV in Si, from the book's eight coefficients; the same whatever is installed
ok "default" stopping --ion H --ion-mass 1 --target Si --energies 100keV --units eVcm2/1e15
grep -v '^# command\|^# sonde' "$out" >"$inputs/with"
check "default: zbl" near "$(value "$out" 0 1)" 26.39873 0.0001
check "default: source" has_line "$out" \
	"^# electronic stopping: zbl \(Ziegler, Biersack and Littmark 1985\); differs from SRIM-2013's .* by 4 and 12 % 100 to 1000 keV/u\$"
ok "default without data" without_data --ion H --ion-mass 1 --target Si --energies 100keV --units eVcm2/1e15
grep -v '^# command\|^# sonde' "$out" >"$inputs/without"
check "the same without other tables" same_files "$inputs/with" "$inputs/without"
ok "compare" stopping --ion B --target Si --energies 100keV --stopping srim13 --compare zbl
check "compare: source" has_line "$out" '^# electronic stopping: srim13 \(table of SRIM-2013, not for commercial use\)$'
check "compare: column" has_line "$out" '^# energy .*straggling \[eV\^2/Angstrom\]  difference \[%\]$'
srim=$(value "$out" 0 1)
ok "compare: the other way" stopping --ion B --target Si --energies 100keV --compare srim13 --stopping-factor 0.5 -o compared.csv
check "compare: summary" has_line "$out" '^electronic stopping: zbl \('
check "compare: percent" awk -F, -v srim="$srim" '/^100,/ {off = $9 - 100*($2/0.5/srim - 1); found = NF == 9 && off < 0.001 && off > -0.001} END {exit !found}' compared.csv
# the folder itself, or noncommercial/ below it
cp "$SONDE_DATA/noncommercial/stopping_srim13.i16" "$inputs/"
ok "a folder that holds the table itself" without_data --target Si --stopping srim13
rm "$inputs/stopping_srim13.i16"

fails 2 'target: not given' stopping --ion He
fails 2 "ion: 'Hee' is not an element, .*, did you mean 'He'\?" stopping --ion Hee --target Si
fails 2 'ion: He2\+: the charge of an ion' stopping --ion He2+ --target Si
fails 2 'ion: Rf: no stopping is available' stopping --ion Rf --target Si
fails 2 'target: vacuum does not stop ions' stopping --target vacuum
fails 2 "energies: '1foo' is not an energy" stopping --target Si --energies 1foo
fails 2 'energies: 0\.5 eV is below 1 eV' stopping --target Si --energies 0.5eV
fails 2 'energies: 2e\+06 keV is beyond 1\.008e\+06 keV' stopping --target Si --energies 2GeV
fails 2 "'C60\.xyz' is not a job file" stopping C60.xyz --target Si
# the numerical error of ranges: in the header, the summary and JSON, and small
ok "numerical error: table" sonde stopping --ion B --target Si --energies 1keV:1MeV
check "numerical error: a line of the header" grep -Eq '^# numerical error: at most about [0-9.e-]+ of the ranges' "$out"
ok "numerical error: JSON" sonde stopping --ion B --target Si --energies 1keV:1MeV --json
check "numerical error: members" grep -Eq '"range_error": [0-9.e-]+, "range_straggling_error": [0-9.e-]+' "$out"
check "numerical error: not zero, and below a percent" awk '{
	match($0, /"range_straggling_error": [0-9.e-]+/); value = substr($0, RSTART + 26, RLENGTH - 26) + 0
	exit !(value > 1e-6 && value < 0.01)}' "$out"
finish
