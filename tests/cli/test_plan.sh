# --plan of every engine: the requirements of a run, and nothing else; the jobs that a run refuses are refused, with the same messages.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
source_folder=$here/../../src

cat >"$inputs/light.yaml" <<'EOF'
fdtd:
  size: 300 nm, 300 nm, 300 nm
  cell: 20 nm
  steps: 50
  sources: [{kind: dipole, polarization: [1, 0, 0], frequency: 500 THz}]
  monitors: [{name: there, kind: point, center: [60 nm, 0, 0]}]
EOF
sed 's/kind: point/kind: dot/' "$inputs/light.yaml" >"$inputs/kind.yaml"
sed 's/steps: 50/steps: 50\n  time: 1 fs/' "$inputs/light.yaml" >"$inputs/time.yaml"
cat >"$inputs/charged.xyz" <<'EOF'
2
Properties=species:S:1:pos:R:3:charge:R:1
Na 0 0 0 1
Cl 0 0 2.8 -1
EOF
sed '2s/^/Lattice="5.6 0 0 0 5.6 0 0 0 5.6" pbc="T T T" /' "$inputs/charged.xyz" >"$inputs/crystal.xyz"
sed 's/^Na/Xq/' "$inputs/charged.xyz" >"$inputs/unknown.xyz"

# A job of each engine that can be done, and some that cannot: words in one string.
declare -A jobs=(
	[debye]="$data/C60.xyz --q 0.5:20:50"
	[pattern]="$data/C60.xyz --q 0.5:7:20 --phi 30 --wavelength 0.5"
	[coulomb]="$inputs/charged.xyz --spacing 0.5 --padding 3"
	[stopping]="--ion He --target SiO2"
	[ions]="--ion H --energy 10keV --target C -n 100"
	[fdtd]="$inputs/light.yaml"
)
declare -A refused=(
	[debye]="$inputs/nowhere.xyz|$inputs/unknown.xyz|$inputs/crystal.xyz --method lattice|$data/C60.xyz --q 1:900:10|$data/C60.xyz --polarization 0.9|$data/C60.xyz --method histogram --bin-width 0.09 --q 1:25:5|$data/C60.xyz -o x.what|$data/C60.xyz --host-memory 1K --device cpu --memory 1K|$data/C60.xyz --compare $inputs/unknown.xyz"
	[pattern]="$inputs/nowhere.xyz --wavelength 1|$inputs/unknown.xyz --wavelength 1|$data/C60.xyz|$data/C60.xyz --q 1:30:5 --wavelength 1|$data/C60.xyz --q-list nowhere.txt|$data/C60.xyz --q 1:90:5 --wavelength 0.1|$data/C60.xyz --wavelength 1 --energy 8keV|$data/C60.xyz --wavelength 1 --displacement O=0.1|$data/C60.xyz --h 0:1:2|$data/C60.xyz --detector 5,5 --wavelength 1|$data/C60.xyz --wavelength 1 -o x.what|$data/C60.xyz --wavelength 1 --host-memory 1K --device cpu --memory 1K"
	[coulomb]="$data/C60.xyz|$inputs/crystal.xyz|$inputs/charged.xyz --line 0,0,0:1,0,0:3 --plane z=1|$inputs/charged.xyz --smearing 1 --debye-length 3|$inputs/charged.xyz --method ewald|$inputs/charged.xyz --spacing 0.0001|$inputs/charged.xyz --points nowhere.txt|$inputs/crystal.xyz --boundary periodic --smearing 1"
	[stopping]="--ion He|--ion Xq --target Si|--ion He --target vacuum|--ion He --target Si --energies 0.1eV|--ion He --target Si --energies 1e9GeV|--ion He --target Si -o x.png"
	[ions]="--ion H --target C|--ion H --energy 10keV --target Xq|--ion H --energy 10keV --target C:1nm --start-depth 40|--ion H --energy 10keV --target C --cutoff 20000|--ion H --energy 10keV --target C --until nothing:1%|--ion H --energy 10keV --target C --resume|--ion H --energy 10keV --target C --flight srim --electronic local"
	[fdtd]="$inputs/kind.yaml|$inputs/time.yaml|$inputs/light.yaml --cell 1|$inputs/light.yaml --steps 0"
)

# Whether $out is a JSON object with a number, a text and a list.
is_plan() {
	local json
	json=$(<"$out")
	[[ $json == '{"command": "'$1'", '*'}' && $(wc -l <"$out") -eq 1 ]] || return 1
	[[ $json =~ \"method\":\ \"[^\"]+\" && $json =~ \"devices\":\ \[\"[^\"]+\"(,\ \"[^\"]+\")*\] &&
		$json =~ \"seconds\":\ [0-9.]+(e[+-]?[0-9]+)?[,}] ]] || return 1
	! command -v python3 >/dev/null || python3 -m json.tool "$out" >/dev/null
}
nothing_here() { [[ -z $(ls -A) ]]; }

while IFS= read -r line; do
	[[ $line =~ ^ENGINE\(([a-z]+)\) ]] || continue
	engine=${BASH_REMATCH[1]}
	device=(--device cpu)
	[[ $engine == stopping ]] && device=()
	check "$engine: this test has a job for it" [ -n "${jobs[$engine]:-}" ]
	[[ -n ${jobs[$engine]:-} ]] || continue
	read -ra job <<<"${jobs[$engine]}"
	ok "$engine: plan" sonde "$engine" "${job[@]}" "${device[@]}" --plan
	check "$engine: lines for people" grep -q '^time  *about ' "$out"
	check "$engine: method" grep -q '^method  *[^ ]' "$out"
	ok "$engine: plan in JSON" sonde "$engine" "${job[@]}" "${device[@]}" --plan --json -o result.csv
	check "$engine: members of JSON" is_plan "$engine"
	check "$engine: nothing is written" nothing_here
	IFS='|' read -ra others <<<"${refused[$engine]}"
	for other in "${others[@]}"; do
		read -ra words <<<"$other"
		sonde "$engine" "${words[@]}" "${device[@]}" >"$scratch/run.out" 2>"$scratch/run.err"
		code=$?
		check "$engine $other: the run is refused" [ $code -eq 2 -o $code -eq 3 ]
		sonde "$engine" "${words[@]}" "${device[@]}" --plan >"$out" 2>"$err"
		check "$engine $other: the plan, too" [ $? -eq $code ]
		check "$engine $other: in the same words" cmp -s "$scratch/run.err" "$err"
		check "$engine $other: nothing is printed" [ ! -s "$out" ]
		check "$engine $other: nothing is written" nothing_here
	done
done <"$source_folder/engines.def"
finish
