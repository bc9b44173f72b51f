#!/bin/bash
# Estimated and true times: bench/plans.sh PROGRAM [DEVICE [PATTERN]]
#
# Runs jobs of all engines, small to large, with --plan and for real, and prints the estimate, the truth, and their
# ratio. On the CPU one thread works, and the truth is the processor time of the process, the smallest of several
# runs, so that other processes on the machine matter little; on a GPU it is the time on the clock from start to end.
# Exits with 1 if an estimate is wrong by more than the factor that is allowed: 1.25 on a CPU, 1.4 on a GPU, and 0.03
# s or 0.15 s. With PATTERN (a regular expression), only jobs that match it are run. Takes some minutes.
set -u
program=$(realpath "$1")
device=${2:-cpu}
pattern=${3:-}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
threads=(--threads 1)
large=
allowed=1.25
slack=0.03
least=1
if [ "$device" != cpu ]; then
	threads=()
	large=1
	allowed=1.4
	slack=0.15
	least=2
fi
bad=0
format='%-58s %10s %10s %7s\n'
printf "$format" job estimate truth ratio

# Seconds of a run: the smallest of three, or fewer if it is long; on a GPU two at least, since drivers and kernels
# may have to be loaded or translated first.
seconds_of() {
	local best=1e30 now
	for repeat in 1 2 3; do
		TIMEFORMAT='%U %S %R'
		now=$({ time "$program" "$@" >/dev/null 2>errors; } 2>&1) || { cat errors >&2; return 1; }
		if [ "$device" = cpu ]; then
			now=$(awk '{print $1 + $2}' <<<"$now")
		else
			now=$(awk '{print $3}' <<<"$now")
		fi
		best=$(awk -v a="$best" -v b="$now" 'BEGIN {print a < b ? a : b}')
		[ "$repeat" -ge "$least" ] && [ "$(awk -v s="$now" 'BEGIN {print s > 1.0}')" = 1 ] && break
	done
	echo "$best"
}

# compare ENDING WORDS: the job with its result in a file with that ending.
compare() {
	local ending=$1 planned truth ratio
	shift
	[[ "$*" =~ $pattern ]] || return
	local words=("$@" "${threads[@]}" -o "result.$ending" --force)
	[ "$1" != stopping ] && words+=(--device "$device")
	planned=$("$program" "${words[@]}" --plan --json 2>errors | grep -o '"seconds": [0-9.eE+-]*' | cut -d' ' -f2)
	if [ -z "$planned" ]; then
		echo "no estimate: $*: $(cat errors)"
		bad=1
		return
	fi
	truth=$(seconds_of "${words[@]}") || { bad=1; return; }
	ratio=$(awk -v a="$planned" -v b="$truth" 'BEGIN {printf "%.2f", a/b}')
	verdict=$(awk -v a="$planned" -v b="$truth" -v f="$allowed" -v s="$slack" \
		'BEGIN {d = a > b ? a - b : b - a; print d <= s || (a <= f*b && b <= f*a) ? "" : " <<"}')
	[ -n "$verdict" ] && bad=1
	printf "$format" "$*" "$(printf %.3g "$planned")" "$(printf %.3g "$truth")" "$ratio$verdict"
}

# Samples: crystals, and charges and points at random.
for n in 5 10 13 18; do
	"$program" build --cell rocksalt --species Na,Cl --a 5.64 --supercell $n,$n,$n -o nacl$n.xyz --quiet
done
"$program" build --cell fcc --species Au --a 4.08 --supercell 12,12,12 -o gold.xyz --quiet
"$program" build --cell rocksalt --species Na+,Cl- --a 5.64 --supercell 3,3,3 -o ions.xyz --quiet
scatter() {
	awk -v n="$1" -v edge="$2" -v charges="$3" 'BEGIN {
		srand(1)
		if (charges) printf "%d\nProperties=species:S:1:pos:R:3:charge:R:1\n", n
		for (i = 0; i < n; ++i)
			if (charges) printf "C %.4f %.4f %.4f %.3f\n", edge*rand(), edge*rand(), edge*rand(), 2*rand() - 1
			else printf "%.4f %.4f %.4f\n", edge*rand(), edge*rand(), edge*rand()
	}'
}
scatter 1000 21.5 1 >few.xyz
scatter 10000 46.4 1 >charges.xyz
scatter 10000 46.4 0 >points.txt
scatter 20000 4 0 >vectors.txt
scatter 100000 100 1 >many.xyz
scatter 100000 100 0 >places.txt
sed '2s/.*/Lattice="16.92 0 0 0 16.92 0 0 0 16.92" pbc="T T T" Properties=species:S:1:pos:R:3/' ions.xyz >crystal.xyz

# A sphere in a plane wave, or a dipole in an empty box: edge and cell in nm, steps, precision, further lines.
cube() {
	printf 'fdtd:\n  size: %s nm, %s nm, %s nm\n  cell: %s nm\n  steps: %s\n  precision: %s\n' "$1" "$1" "$2" "$3" "$4" "$5"
	cat <<'EOF'
  materials: [{name: glass, permittivity: 4}]
  bodies: [{material: glass, shape: sphere, radius: 250 nm}]
EOF
	if [ "$6" = dipole ]; then
		cat <<'EOF'
  sources: [{kind: dipole, polarization: [1, 0, 0], frequency: 430 THz, bandwidth: 250 THz}]
  monitors: [{name: there, kind: point, center: [100 nm, 0, 0]}]
EOF
	else
		cat <<'EOF'
  sources: [{kind: plane-wave, direction: [1, 0, 0], polarization: [0, 1, 0], frequency: 430 THz, bandwidth: 250 THz}]
  monitors: [{name: sphere, kind: cross-section, frequencies: 300 THz:580 THz:57}]
EOF
	fi
}
cube 800 800 20 300 float32 dipole >small.yaml
cube 1600 1600 20 300 float32 dipole >cube.yaml
cube 1600 1600 20 100 float64 dipole >double.yaml
cube 700 700 20 400 float32 wave >mie.yaml
[ -n "$large" ] && cube 5000 5000 10 1000 float32 dipole >large.yaml

compare xy debye nacl5.xyz --q 0.1:20:1000 --method exact
compare xy debye nacl10.xyz --q 0.1:20:1000 --method exact
compare xy debye nacl13.xyz --q 0.1:20:500 --method histogram
compare h5 debye nacl18.xyz --q 0.1:20:1000
compare xy debye gold.xyz --q 0.1:20:300 --r 0:50:2000
compare xy debye nacl5.xyz --q 0.1:20:30 --method reference
compare h5 pattern nacl10.xyz --q 0.5:7:256 --phi 512 --wavelength 0.5
compare h5 pattern nacl10.xyz --q 0.5:7:256 --phi 512 --wavelength 0.5 --precision float32
compare h5 pattern nacl5.xyz --q 0.5:7:1024 --phi 1024 --wavelength 0.5 --precision float32
compare csv pattern nacl5.xyz --q 0.5:7:512 --phi 512 --wavelength 0.5 --precision float32
compare h5 pattern nacl5.xyz --q 0.5:7:64 --phi 64 --wavelength 0.5 --method fast
compare h5 pattern nacl10.xyz --q 0.5:7:512 --phi 512 --wavelength 0.5 --tolerance 1e-4
compare h5 pattern nacl18.xyz --q 0.5:7:128 --phi 128 --wavelength 0.5 --tolerance 1e-8
compare h5 pattern nacl18.xyz --detector 256,256 --distance 100 --pixel-size 0.4 --wavelength 0.3 --method fast
compare h5 pattern nacl18.xyz --q-list vectors.txt --method fast
volume="--u 1,0,0 --v 0,1,0 --w 0,0,1"
compare h5 pattern nacl5.xyz --h -2:2:61 --k -2:2:61 --l -2:2:61 $volume
compare h5 pattern nacl18.xyz --h -2:2:161 --k -2:2:161 --l -2:2:161 $volume --tolerance 1e-4
compare h5 pattern nacl5.xyz --h -2:2:201 --k -2:2:201 --l -2:2:201 $volume --tolerance 1e-6 --amplitude
compare h5 pattern nacl10.xyz --h -4:4:401 --k -4:4:401 $volume --laue-class m-3m
compare h5 pattern nacl5.xyz --detector 512,512 --distance 100 --pixel-size 0.2 --wavelength 1 --fluence 1e12 --polarization 0.9
compare h5 pattern nacl10.xyz --q 0.5:3:64 --phi 128 --wavelength 0.5 --orientations random:5
compare h5 pattern nacl18.xyz --q 0.5:3:64 --phi 128 --wavelength 0.5 --orientations random:5 --method fast
compare h5 pattern nacl5.xyz --detector 256,256 --distance 100 --pixel-size 0.4 --wavelength 1 --shots 20 --fluence 1e12
compare h5 coulomb few.xyz --spacing 0.4 --method direct
compare h5 coulomb few.xyz --spacing 0.4 --method direct --precision float64
compare h5 coulomb few.xyz --spacing 0.4 --quantity both --method direct
compare h5 coulomb charges.xyz --spacing 0.5 --tolerance 1e-4
compare h5 coulomb charges.xyz --spacing 0.5 --tolerance 1e-8
compare h5 coulomb many.xyz --spacing 1 --tolerance 1e-5
compare csv coulomb charges.xyz --points points.txt --method direct
compare csv coulomb many.xyz --points places.txt
compare dx coulomb few.xyz --spacing 0.5
compare h5 coulomb crystal.xyz --charges Na+=1,Cl-=-1 --boundary periodic --spacing 0.5
compare h5 ions --ion H --energy 100keV --target C -n 10000
compare h5 ions --ion H --energy 100keV --target C -n 1000 --flight monolayer
compare h5 ions --ion As --energy 50keV --target Si -n 1000
compare h5 ions --ion Ar --energy 1keV --target W --surface planar --flight monolayer -n 10000
compare csv stopping --ion He --target SiO2
compare csv stopping --ion B --target Si --energies 1keV,10keV
compare csv fdtd small.yaml
compare h5 fdtd cube.yaml
compare h5 fdtd double.yaml
compare h5 fdtd mie.yaml
if [ -n "$large" ]; then
	"$program" build --cell rocksalt --species Na,Cl --a 5.64 --supercell 50,50,50 -o large.xyz --quiet
	"$program" build --cell rocksalt --species Na,Cl --a 5.64 --supercell 20,20,20 -o middle.xyz --quiet
	compare xy debye middle.xyz --q 0.1:20:1024 --method exact
	compare xy debye large.xyz --q 0.1:20:1024 --method histogram
	compare h5 coulomb many.xyz --spacing 0.3 --method direct
	compare h5 coulomb many.xyz --spacing 0.25 --tolerance 1e-6
	compare h5 ions --ion H --energy 100keV --target C -n 10000000
	compare h5 ions --ion As --energy 50keV --target Si -n 1000000
	compare h5 ions --ion Fe --energy 2MeV --target Fe -n 300000
	compare h5 fdtd large.yaml
fi
exit $bad
