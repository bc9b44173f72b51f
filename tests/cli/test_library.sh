# Libraries of computed patterns: made, extended, refused, damaged; the example.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

library() { # FILE LINE... : a file in $inputs
	local file=$inputs/$1
	shift
	printf '%s\n' "$@" >"$file"
}

example=$here/../../examples/carbon_library/carbon.yaml
ok "plan" sonde library "$example" -o carbon.h5 --plan
check "plan: structures" has_line "$out" '^structures +17, of which 0 are in the library and 0 the same as others$'
check "plan: nothing is written" [ -z "$(ls)" ]
ok "example" sonde library "$example" -o carbon.h5
check "example: summary" has_line "$out" '^carbon.h5: 17 structures; 17 computed, 0 were present$'
check "example: error" has_line "$out" '^error: estimate [1-9][.0-9]*e-0[67] at most'
check "example: HDF5" is_hdf5 carbon.h5
ok "description" sonde info carbon.h5
check "description: candidates" has_line "$out" '^candidates +17$'
before=$(cksum carbon.h5)
ok "again" sonde library "$example" -o carbon.h5 --json
check "again: nothing is computed" contains "$out" '"made": 0, "total": 17'
check "again: the same file" [ "$(cksum carbon.h5)" = "$before" ]

# folders of files, balls of unit cells, more of them later
mkdir "$inputs/cells" "$inputs/atoms"
cp "$data"/cif/*.cif "$inputs/cells/" 2>/dev/null
find "$inputs/cells" -name '*.cif' | sort | tail -n +2 | xargs rm -f
ok "a structure" sonde build --cell fcc --species Au --a 4.0782 --sphere 6 -o "$inputs/atoms/gold.xyz"
ok "another one" sonde build --fullerene C60 -o "$inputs/atoms/c60.xyz"
library files.yaml 'debye: {q: 1:10:20}' 'structures:' '- {file: atoms}'
ok "folder" sonde library "$inputs/files.yaml" -o files.h5
check "folder: both" has_line "$out" '^files.h5: 2 structures; 2 computed'
library files.yaml 'debye: {q: 1:10:20}' 'structures:' '- {file: atoms}' '- {file: atoms/c60.xyz}' \
	'- build: {fullerene: "${n}"}' '  vary: {n: [C60, C240]}'
ok "more" sonde library "$inputs/files.yaml" -o files.h5
check "more: what is there is not computed again" has_line "$out" '^files.h5: 3 structures; 1 computed, 4 were present$'
ok "a structure in HDF5" sonde build --fullerene C60 -o "$inputs/c60.h5"
library files.yaml 'debye: {q: 1:10:20}' 'structures:' '- {file: c60.h5}' '- {file: atoms}' '- build: {fullerene: C180}'
ok "files in HDF5" sonde library "$inputs/files.yaml" -o files.h5 --threads 3
check "files in HDF5: one is new" has_line "$out" '^files.h5: 4 structures; 1 computed, 3 were present$'
library cut.yaml 'debye: {q: 1:10:20}' 'structures:' '- {cif: cells, sizes: [12, 16]}'
if sonde build --cell "$(find "$inputs/cells" -name '*.cif' | head -n 1)" --sphere 5 -o cell.xyz >/dev/null 2>&1; then
	rm -f cell.xyz
	ok "balls of a CIF" sonde library "$inputs/cut.yaml" -o cut.h5
	check "balls: both sizes" has_line "$out" '^cut.h5: 2 structures; 2 computed'
else
	skip "balls of a CIF" "this build does not read the CIF"
fi

# a library that was made in another way, or is damaged
library other.yaml 'debye: {q: 1:11:20}' 'structures:' '- {file: atoms}'
fails 2 "files.h5: was computed with other options .*--force" sonde library "$inputs/other.yaml" -o files.h5
head -c 3000 files.h5 >damaged.h5
fails 2 "damaged.h5" sonde library "$inputs/files.yaml" -o damaged.h5
echo text >text.h5
fails 2 "text.h5" sonde library "$inputs/files.yaml" -o text.h5
ok "anew" sonde library "$inputs/other.yaml" -o files.h5 --force
check "anew: two" has_line "$out" '^files.h5: 2 structures; 2 computed, 0 were present$'

# a batch system stops it: what is complete stays, and the same command continues
library short.yaml 'debye: {q: 1:20:2000}' 'structures:' '- build: {cell: fcc, species: Au, a: 3.9, sphere: 8}'
ok "before a stop" sonde library "$inputs/short.yaml" -o long.h5
library long.yaml 'debye: {q: 1:20:2000}' 'structures:' '- build: {cell: fcc, species: Au, a: "${a}", sphere: 22}' \
	'  vary: {a: {from: 3.9, to: 4.2, count: 400}}'
stop_library() { # FILE
	"$program" library "$inputs/long.yaml" -o "$1" --device cpu --threads 1 >"$out" 2>"$err" </dev/null &
	pid=$!
	sleep 0.5
	kill -TERM $pid
	wait $pid
	code=$?
}
stop_library first.h5
check "SIGTERM before the first structures: exit code 75, not $code: $(excerpt "$err")" [ $code = 75 ]
check "SIGTERM before the first structures: $(excerpt "$err")" one_line '^sonde library: stopped on request before the first structures of first\.h5 were complete; the same command begins again$'
check "SIGTERM before the first structures: no file" [ ! -e first.h5 ]
stop_library long.h5
check "SIGTERM: exit code 75, not $code: $(excerpt "$err")" [ $code = 75 ]
check "SIGTERM: what is kept" has_line "$err" 'stopped on request: 1 structures are in long.h5; the same command continues'
ok "after a stop" sonde info long.h5
check "after a stop: candidates" has_line "$out" '^candidates +1$'

# one line with the place of each mistake
fails 2 "no description of a library is given" sonde library -o x.h5
fails 2 "no output is given" sonde library "$inputs/files.yaml"
fails 2 "a library is an HDF5 file" sonde library "$inputs/files.yaml" -o x.csv
fails 2 "'x.xyz' is not a description" sonde library x.xyz -o x.h5
library bad.yaml 'structures:' '- {build: {fulerene: C60}}'
fails 2 "bad.yaml:2:12: build has no option 'fulerene', did you mean 'fullerene'" sonde library "$inputs/bad.yaml" -o x.h5
library bad.yaml 'structures:' '- {build: {cell: fcc, species: Au, a: 4, sphere: "${r}"}, vary: {r: [2, big]}}'
fails 2 "bad.yaml:2:[0-9]+: sphere: " sonde library "$inputs/bad.yaml" -o x.h5
library bad.yaml 'structures:' '- {build: {cell: fcc, species: Au, sphere: 3}}'
fails 2 "bad.yaml:2:[0-9]+: " sonde library "$inputs/bad.yaml" -o x.h5
library bad.yaml 'structures:' '- {build: {cell: fcc, species: Xx, a: 4, sphere: 3}}'
fails 2 "Xx" sonde library "$inputs/bad.yaml" -o x.h5
finish
