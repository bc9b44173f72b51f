# sonde pattern: pictures and lists, tables and files, devices, job files, refusals.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

pattern() { sonde pattern "$@"; }
body() { grep -v '^#' "$1"; }
same_bodies() { cmp -s <(body "$1") <(body "$2"); }
c60=("$data/C60.xyz" --q 0.5:7:14 --phi 32 --wavelength 0.5)

# the table
ok "table" pattern "${c60[@]}" -o c60.csv
check "summary" has_line "$out" '^60 atoms, 14 \(q\) x 32 \(phi\) points, [0-9.]+ s$'
check "summary: error" has_line "$out" '^error: [0-9.]+e-1[0-9] of sqrt\(sum \|f\|\^2\) in F, the largest at 64 points'
check "table: names" has_line c60.csv '^q,phi,I$'
check "table: rows" [ "$(body c60.csv | wc -l)" = 449 ]
check "table: as in tests/data" has_line c60.csv '^0\.5,0,37388\.659826[0-9]*$'
check "table: points of phi" has_line c60.csv '^0\.5,11\.25,37389\.976930[0-9]*$|^0\.5,11\.25,37389\.97693[0-9]*$'
check "header: geometry" has_line c60.csv '^# Ewald sphere: wavelength 0\.5 Angstrom, beam along -z'
check "header: atoms" has_line c60.csv '^# atoms: C 60$'
check "header: amplitudes" has_line c60.csv '^# amplitudes: X-ray form factors: D\. Waasmaier'
check "header: error" has_line c60.csv '^# error: [0-9.]+e-1[0-9] of sqrt'
ok "table on stdout" pattern "${c60[@]}"
check "stdout: the same numbers" [ "$(body "$out" | tr ' ' ,)" = "$(body c60.csv | tail -n +2)" ]
ok "energy in place of the wavelength" pattern "$data/C60.xyz" --q 0.5:7:14 --phi 32 --energy 24.796839688642keV -o energy.csv
check "energy: about the same" near "$(body energy.csv | tail -1 | cut -d, -f3)" "$(body c60.csv | tail -1 | cut -d, -f3)" 1e-6
fails 2 'c60\.csv: exists already' pattern "${c60[@]}" -o c60.csv
ok "--force" pattern "${c60[@]}" -o c60.csv --force --quiet

# HDF5 and its description
ok "HDF5" pattern "${c60[@]}" --amplitude -o c60.h5
ok "info" sonde info c60.h5
check "info: kind" has_line "$out" '^what +Diffraction pattern$'
check "info: q" has_line "$out" '^q +14 points, 0\.5 to 7 1/angstrom$'
check "info: phi" has_line "$out" '^phi +32 points, 0 to 348\.75 degree$'
check "info: error" has_line "$out" '^error +[0-9.]+e-1[0-9] of sqrt\(sum \|f\|\^2\); 64 points'
ok "info of the table" sonde info c60.csv
check "info of the table: kind" has_line "$out" '^what +table of sonde pattern$'
sonde pattern "${c60[@]}" --json -o json.csv >"$out" 2>"$err"
check "JSON: progress" has_line "$err" '"unit": "atoms at points"'
check "JSON: members" has_line "$out" '^\{"command": "pattern", "atoms": 60, "points": 448, .*"largest_error": [0-9.e-]+, "checked_points": 64.*\}$'

# a list: at the vectors of the picture, the numbers of the picture
awk 'BEGIN { pi = atan2(0, -1); for (k = 0; k < 14; ++k) { q = 0.5 + 0.5*k; z = q*q*0.5/(4*pi); across = sqrt(q*q - z*z)
	for (m = 0; m < 32; ++m) printf "%.17g, %.17g, %.17g\n", across*cos(2*pi*m/32), across*sin(2*pi*m/32), z } }' >"$inputs/list.csv"
ok "list" pattern "$data/C60.xyz" --q-list "$inputs/list.csv" --amplitude -o list.csv
check "list: names" has_line list.csv '^qx,qy,qz,I,F_real,F_imaginary$'
check "list: the picture's numbers" awk -F, 'NR == FNR { if (!/^[#q]/) picture[n++] = $3; next } !/^[#q]/ { d = $4/picture[m++] - 1; if (d > 1e-9 || d < -1e-9) bad = 1 }
	END { exit bad || n != 448 || m != n }' c60.csv list.csv
check "list: I is |F|^2" awk -F, '!/^[#q]/ { d = ($5*$5 + $6*$6)/$4 - 1; if (d > 1e-12 || d < -1e-12) exit 1 }' list.csv
ok "list as HDF5" pattern "$data/C60.xyz" --q-list "$inputs/list.csv" -o list.h5
ok "info of a list" sonde info list.h5

# a detector, and reciprocal space
ok "detector" pattern "$data/C60.xyz" --detector 5,3 --distance 50 --pixel-size 10 --wavelength 1 -o detector.csv
check "detector: names" has_line detector.csv '^x,y,I$'
check "detector: summary" has_line "$out" '^60 atoms, 3 \(y\) x 5 \(x\) points, '
check "detector: the beam is in the middle" has_line detector.csv '^0,0,129478\.98[0-9]*$'
ok "detector: the beam elsewhere" pattern "$data/C60.xyz" --detector 5,3 --distance 50 --pixel-size 10 --beam-center 0,2 --wavelength 1 --quiet -o d.h5
ok "detector: info" sonde info d.h5
check "detector: axes" has_line "$out" '^x +5 points, 0 to 40 mm$'
printf '%s\n' 8 'Lattice="4 0 0 0 4 0 0 0 4" Properties=species:S:1:pos:R:3 pbc="T T T"' 'Na 0 0 0' 'Na 2 2 0' 'Na 2 0 2' 'Na 0 2 2' 'Cl 2 0 0' 'Cl 0 2 0' \
	'Cl 0 0 2' 'Cl 2 2 2' >"$inputs/salt.xyz"
ok "hkl" pattern "$inputs/salt.xyz" --h -2:2:5 --k 0:1:2 --l 1:1:1 --factors unit -o hkl.csv
check "hkl: names" has_line hkl.csv '^h,k,l,I$'
check "hkl: in the header" has_line hkl.csv '^# q = h u \+ k v \+ l w, u = 1\.570796327,0,0, v = 0,1\.570796327,0, w = 0,0,1\.570796327$'
check "hkl: Na and Cl cancel at 111" awk -F, '!/^[#h]/ && $4 > 1e-20 { bad = 1 } END { exit bad }' hkl.csv
ok "hkl: vectors" pattern "$data/C60.xyz" --h 0:3:4 --u 1,1,0 -o line.csv
check "hkl: rows" [ "$(body line.csv | wc -l)" = 5 ]

# precision, devices, threads
ok "float32" pattern "${c60[@]}" --precision float32 -o single.csv
check "float32: summary" has_line "$out" '^error: [0-9.]+e-0[67] of sqrt'
check "float32: other numbers" eval '! same_bodies c60.csv single.csv'
for precision in float64 float32; do
	coo=("$data/CoO_R40.xyz.gz" --q 0.5:7:5 --phi 9 --wavelength 0.5 --precision $precision)
	ok "$precision: one thread" pattern "${coo[@]}" --device cpu --threads 1 -o one.$precision.csv
	ok "$precision: three threads" pattern "${coo[@]}" --device cpu --threads 3 -o three.csv
	check "$precision: the same bits" same_bodies one.$precision.csv three.csv
	ok "$precision: atoms in parts" pattern "${coo[@]}" --device cpu --memory 1M -o three.csv --force
	check "$precision: atoms in parts: the same bits" same_bodies one.$precision.csv three.csv
	rm three.csv
	circles=("$data/CoO_R40.xyz.gz" --q 0.5:3:200 --phi 20 --wavelength 0.5 --precision $precision) # from nodes
	ok "$precision: near circles" pattern "${circles[@]}" --device cpu --threads 1 -o near.$precision.csv
	ok "$precision: near circles, three threads, atoms in parts" pattern "${circles[@]}" --device cpu --threads 3 --memory 1M -o three.csv
	check "$precision: near circles: the same bits" same_bodies near.$precision.csv three.csv
	rm three.csv
done
if "$program" devices 2>/dev/null | grep -q '^[* ]*opencl:0'; then
	for precision in float64 float32; do
		coo=("$data/CoO_R40.xyz.gz" --q 0.5:7:5 --phi 9 --wavelength 0.5 --precision $precision)
		ok "$precision: OpenCL" pattern "${coo[@]}" --device opencl:0 -o opencl.csv
		ok "$precision: OpenCL and CPU" pattern "${coo[@]}" --device opencl:0,cpu -o both.csv
		ok "$precision: OpenCL, atoms in parts" pattern "${coo[@]}" --device opencl:0 --memory 1M -o little.csv
		check "$precision: OpenCL, atoms in parts: the same bits" same_bodies opencl.csv little.csv
		if grep -qE 'fma( |$)' /proc/cpuinfo; then # else the CPU's kernels round twice
			check "$precision: OpenCL: the same bits" same_bodies one.$precision.csv opencl.csv
			circles=("$data/CoO_R40.xyz.gz" --q 0.5:3:200 --phi 20 --wavelength 0.5 --precision $precision)
			ok "$precision: OpenCL, near circles" pattern "${circles[@]}" --device opencl:0,cpu -o near.csv
			check "$precision: OpenCL, near circles: the same bits" same_bodies near.$precision.csv near.csv
			rm near.csv
			check "$precision: OpenCL and CPU: the same bits" same_bodies one.$precision.csv both.csv
		fi
		rm opencl.csv both.csv little.csv
	done
	if "$program" devices 2>/dev/null | grep -q 'Portable Computing Language'; then # slow: a launch takes some of the points
		sonde pattern "$data/CoO_R40.xyz.gz" --q 0.5:7:20 --phi 1000 --wavelength 0.5 --device opencl:0 --launch-limit 0.05 --json -o parts.csv >"$out" 2>"$err"
		check "OpenCL: launches within the limit" [ "$(grep -c '"unit": "atoms at points"' "$err")" -ge 3 ]
		rm parts.csv
	fi
else
	skip "OpenCL" "there is no device here"
fi

# the fast method
many=("$data/CoO_R40.xyz.gz" --q 0.5:7:60 --phi 60 --wavelength 0.5 --device cpu)
ok "direct" pattern "${many[@]}" --method direct --amplitude -o direct.csv
for tolerance in 1e-3 1e-9; do
	ok "fast, $tolerance" pattern "${many[@]}" --method fast --tolerance $tolerance --amplitude -o fast.csv --force
	check "fast, $tolerance: summary" has_line "$out" '^fast method: Fourier transforms, tolerance (0\.001|1e-09)$'
	# sqrt(sum |f|^2) is at least that at q = 7, about 5.5 sqrt(N)
	check "fast, $tolerance: amplitudes" awk -F, -v largest=$tolerance 'NR == FNR { if (!/^[#q]/) { re[n] = $4; im[n++] = $5 } next }
		!/^[#q]/ { x = $4 - re[m]; y = $5 - im[m++]; if (x*x + y*y > largest*largest*27633*30) bad = 1 } END { exit bad || n != 3600 || m != n }' direct.csv fast.csv
done
ok "fast: one thread" pattern "${many[@]}" --method fast --threads 1 -o one.csv
ok "fast: three threads" pattern "${many[@]}" --method fast --threads 3 -o three.csv
check "fast: the same bits" same_bodies one.csv three.csv
ok "fast: in parts" pattern "${many[@]}" --method fast --host-memory 20M -o parts.csv
check "fast: in parts: error" has_line "$out" '^error: [0-9.]+e-(0[7-9]|1[0-9]) of sqrt'
ok "fast: HDF5" pattern "${many[@]}" --method fast -o fast.h5
sonde pattern "${many[@]}" --method fast --json -o json.csv --force >"$out" 2>"$err"
check "fast: JSON: method" has_line "$out" '"method": "fast"'
ok "auto without a tolerance" pattern "${many[@]}" --plan
check "auto without a tolerance: direct" has_line "$out" '^method +direct sum, float64$'
ok "auto with a tolerance" pattern "$data/CoO_R40.xyz.gz" --q 0.5:7:512 --phi 512 --wavelength 0.5 --device cpu --tolerance 1e-4 --plan
check "auto with a tolerance: reason" has_line "$out" '^choice +the direct sum would take about [0-9.]+ times as long as the fast method$'
check "auto with a tolerance: fast" has_line "$out" '^method +Fourier transforms, tolerance 0\.0001, windows of [0-9]+ points$'
# tolerances below the rounding of phases: 2001 atoms in two places, one atom 1e6 Angstrom from another
awk 'BEGIN { printf "2001\n\nC 0 0 0\n"; for (k = 0; k < 2000; ++k) printf "C 7310 9177 61%02d.%d\n", k % 3, k % 7 }' >"$inputs/apart.xyz"
apart=("$inputs/apart.xyz" --q 3:6:4 --phi 4 --wavelength 0.3 --factors unit --device cpu)
ok_warned 'where many atoms scatter in phase, errors may be up to [0-9.e-]+, more than the tolerance: phases q\.r are up to 4e\+04 radians' \
	"a tolerance that may be missed" pattern "${apart[@]}" --method fast --tolerance 2e-10 -o apart.csv --plan
ok "a tolerance that is met" pattern "${apart[@]}" --method fast --tolerance 1e-6 -o apart.csv
printf '2\n\nC 0 0 0\nC 2e6 0 0\n' >"$inputs/remote.xyz"
fails 2 'tolerance: 1e-10 cannot be met: phases q\.r are up to 6e\+06 radians, and their rounding alone makes errors of 3e-10; allow more' \
	pattern "$inputs/remote.xyz" --q 1:6:3 --wavelength 0.5 --tolerance 1e-10
ok "auto, few points" pattern "${c60[@]}" --tolerance 1e-4 -o few.csv
check "auto, few points: direct" same_bodies few.csv c60.csv
fails 2 'tolerance: 1e-12 is less than the error of the fast method, 1e-10; use --method direct' pattern "${c60[@]}" --method fast --tolerance 1e-12
fails 2 'tolerance: 0\.1 is out of range' pattern "${c60[@]}" --tolerance 0.1
fails 2 'precision: float32 is of the direct sum without a --tolerance' pattern "${c60[@]}" --precision float32 --tolerance 1e-3
fails 2 'precision: float32 is of the direct sum' pattern "${c60[@]}" --precision float32 --method fast
fails 3 'the fast method needs more memory for its meshes, [0-9.]+ MB at least; allow more, or use --method direct' pattern "${many[@]}" --method fast --host-memory 2M

# radiation, motion, occupancies
ok "neutrons" pattern "$data/C60.xyz" --q 1:2:2 --phi 1 --wavelength 1.8 --radiation neutron
check "neutrons: the length of carbon" has_line "$out" '^# amplitudes: neutron scattering lengths'
ok "electrons" pattern "$data/C60.xyz" --q 1:2:2 --phi 1 --wavelength 0.0251 --radiation electron
ok "anomalous" pattern "$data/CoO_R40.xyz.gz" --q 1:2:2 --phi 1 --energy 7.7keV --anomalous henke
check "anomalous: in the header" has_line "$out" "^# amplitudes: .*; f' and f'' at 7\\.7 keV"
printf '%s\n' 2 'Properties=species:S:1:pos:R:3:occupancy:R:1' 'Cu 0 0 0 0.25' 'Au 0 0 0 0.75' >"$inputs/site.xyz"
ok "a mixed site" pattern "$inputs/site.xyz" --factors unit --q 1:2:2 --phi 1 --wavelength 1
# one atom is always there, at the same place: |f|^2 = 1, without fluctuation
check "a mixed site: the mean of |f|^2" [ "$(body "$out")" = $'1 0 1\n2 0 1' ]
check "a mixed site: in the header" has_line "$out" '^# atoms: Au 1 \(0\.75 present\), Cu 1 \(0\.25 present\)$'
printf '1\n\nCu 0 0 0\n' >"$inputs/one.xyz"
ok "one atom that moves" pattern "$inputs/one.xyz" --factors unit --q 1:2:2 --phi 1 --wavelength 1 --displacement 0.5
check "one atom that moves scatters as at rest" [ "$(body "$out")" = $'1 0 1\n2 0 1' ]

fails 3 'atoms and .* points need about .* of main memory' pattern "${c60[@]}" --memory 1K --host-memory 1K

fails 2 'displacement: .* has no mean square displacements' pattern "${c60[@]}" --displacement sample
printf '%s\n' 2 'Properties=species:S:1:pos:R:3:U_iso:R:1' 'Cu 0 0 0 0.01' 'Cu 2 0 0 0.02' >"$inputs/moving.xyz"
ok "displacements of the sample" pattern "$inputs/moving.xyz" --q 1:2:2 --phi 2 --wavelength 1 --displacement sample
check "displacements of the sample: in the header" has_line "$out" '^# atoms: Cu 2$'

# a job file
printf 'sample: %s\noutput: job.csv\npattern:\n  q: 0.5:7:14\n  phi: 32\n  wavelength: 0.5\n' "$data/C60.xyz" >"$inputs/job.yaml"
ok "job" pattern "$inputs/job.yaml"
check "job: the same numbers" same_bodies job.csv c60.csv
printf 'pattern:\n  fi: 32\n' >"$inputs/wrong.yaml"
fails 2 "wrong\.yaml:2:3: .*fi" pattern "$inputs/wrong.yaml"
ok "plan" pattern "${c60[@]}" --plan
check "plan: points" has_line "$out" '^points +14 \(q\) x 32 \(phi\)$'
check "plan: method" has_line "$out" '^method +direct sum, float64$'

ok "picture" pattern "${c60[@]}" --plot c60.png
check "picture: a PNG file" [ "$(head -c 4 c60.png | tail -c 3)" = PNG ]
ok "picture of a detector" pattern "$data/C60.xyz" --detector 40,30 --distance 50 --pixel-size 1 --wavelength 1 --plot detector.png
ok "picture of a plane" pattern "$inputs/salt.xyz" --h -2:2:41 --k 0:1:21 --l 0:0:1 --plot plane.png
ok "picture of a line" pattern "$inputs/salt.xyz" --h -2:2:41 --plot line.png
fails 2 'plot: pictures are drawn, lists of scattering vectors are not' pattern "$data/C60.xyz" --q-list "$inputs/list.csv" --plot list.png

# amplitudes of labels
ok "partials" pattern "$inputs/salt.xyz" --h -2:2:5 --partials species -o partials.csv
check "partials: names" has_line partials.csv '^h,k,l,I,F_Cl_real,F_Cl_imaginary,F_Na_real,F_Na_imaginary$'
check "partials: their sum" awk -F, '!/^[#h]/ { x = $5 + $7; y = $6 + $8; d = x*x + y*y - $4; if (d > 1e-9 || d < -1e-9) bad = 1; ++n } END { exit bad || n != 5 }' partials.csv
check "partials: their errors" has_line partials.csv '^# error of F_Na: [0-9.]+e-1[4-7] of sqrt\(sum \|f\|\^2\) of its atoms$'
ok "partials, fast" pattern "$inputs/salt.xyz" --q 0.5:7:30 --phi 30 --wavelength 0.5 --partials species --method fast --tolerance 1e-8 -o partials-fast.csv
check "partials, fast: an error below the tolerance" has_line partials-fast.csv '^# error of F_Cl: [0-9.]+e-(09|1[0-6]) of'
ok "partials in HDF5" pattern "$inputs/salt.xyz" --h -2:2:5 --partials species -o partials.h5
ok "partials: mixtures" pattern "$inputs/salt.xyz" --h -2:2:5 --radiation neutron --labels 'Cl=0.5*35Cl+0.5*37Cl' --partials species --amplitude -o mixed.csv
check "partials: mixtures: names" has_line mixed.csv '^h,k,l,I,F_real,F_imaginary,F_35Cl_real,F_35Cl_imaginary,F_37Cl_real,F_37Cl_imaginary,F_Na_real,F_Na_imaginary$'
ok "partials: blocks" pattern "$inputs/salt.xyz" --h -2:2:5 --partials block --copy-atoms 4 -o blocks.csv
check "partials: blocks: names" has_line blocks.csv '^h,k,l,I,F_1_real,F_1_imaginary,F_2_real,F_2_imaginary$'
# copies of four atoms: sodium, then chlorine
check "partials: blocks: those of the labels" awk -F, '/^[#h]/ { next } NR == FNR { a[$1] = $7; b[$1] = $5; next } { x = $5 - a[$1]; y = $7 - b[$1]; if (x*x + y*y > 1e-18) bad = 1; ++n }
	END { exit bad || n != 5 }' partials.csv blocks.csv
fails 2 'partials: .*the atoms are in no blocks' pattern "$data/C60.xyz" --q 1:2:2 --phi 2 --wavelength 1 --partials block
fails 2 'partials: .*chains and residues are those of PDB files' pattern "$data/C60.xyz" --q 1:2:2 --phi 2 --wavelength 1 --partials chain
fails 2 'copy-atoms: is for --copies independent and --partials block' pattern "$data/C60.xyz" --q 1:2:2 --phi 2 --wavelength 1 --partials species --copy-atoms 2
fails 2 'partials: these amplitudes are those of one sample in one orientation' pattern "$inputs/salt.xyz" --h 0:1:2 --partials species --orientations random:3
fails 2 'laue-class: means are those of I, not of amplitudes: leave out --partials' pattern "$inputs/salt.xyz" --h 0:1:2 --partials species --laue-class mmm

# refusals
fails 2 'wavelength: the scattering vectors lie on the Ewald sphere; give --wavelength or --energy' pattern "$data/C60.xyz"
fails 2 'q: the wavelength 2 Angstrom is too long for q = 7: .* exceeds 4 pi/wavelength = 6\.2831' pattern "$data/C60.xyz" --wavelength 2
printf '1\n\nNa+ 0 0 0\n' >"$inputs/ion.xyz"
fails 2 'detector: an ion scatters electrons infinitely strongly at q = 0, by its charge; leave out this vector' \
	pattern "$inputs/ion.xyz" --detector 3,3 --distance 9 --wavelength 0.025 --radiation electron --factors peng
fails 2 'detector: the form factors are valid up to q = 75\.40 1/Angstrom' pattern "$data/C60.xyz" --detector 9,9 --pixel-size 9 --distance 9 --wavelength 0.01
fails 2 'q: the form factors are valid up to q = 75\.40' pattern "$data/C60.xyz" --q 1:80:3 --wavelength 0.1
echo 0 0 99 >"$inputs/large.txt"
fails 2 'q-list: the form factors are valid up to q = 75\.40 1/Angstrom, and the largest vector has' pattern "$data/C60.xyz" --q-list "$inputs/large.txt" -o x.csv
fails 2 'energy: --wavelength is given as well' pattern "$data/C60.xyz" --wavelength 1 --energy 8keV
fails 2 "energy: 'fast' is not an energy" pattern "$data/C60.xyz" --energy fast
fails 2 'phi: 0 is out of range' pattern "$data/C60.xyz" --wavelength 1 --phi 0
fails 2 'anomalous: f. and f.. depend on the energy' pattern "$data/C60.xyz" --q-list "$inputs/list.csv" --anomalous henke
fails 2 'factors: this table is for neutron, but radiation is xray' pattern "$data/C60.xyz" --wavelength 1 --factors sears1992
fails 2 "displacement: the sample has no 'O'" pattern "$data/C60.xyz" --wavelength 1 --displacement O=0.1
fails 2 "displacement: there is none for 'O'" pattern "$data/CoO_R40.xyz.gz" --wavelength 1 --displacement Co=0.1
fails 2 'displacement: 11 is out of range' pattern "$data/C60.xyz" --wavelength 1 --displacement 11
fails 2 'u: the sample has no cell; give --u, --v, and --w' pattern "$data/C60.xyz" --h 0:1:3
fails 2 'u: the vector has no length' pattern "$data/C60.xyz" --h 0:1:3 --v 0,1,0
fails 2 'u: .* are left-handed, or lie in one plane' pattern "$data/C60.xyz" --h 0:1:3 --u 1,0,0 --v 0,1,0 --w 0,0,-1
# options without effect, by what gives the scattering vectors
for vectors in '--detector 3,3 --distance 50 --wavelength 1' '--h 0:1:2 --u 1,0,0' "--q-list $inputs/list.csv"; do
	name=${vectors%% *}
	for option in '--q 1:2:3' '--phi 9'; do
		# shellcheck disable=SC2086
		fails 2 "${option%% *}: has no effect with $name, which gives the scattering vectors" pattern "$data/C60.xyz" $vectors $option
	done
done
for vectors in '--h 0:1:2 --u 1,0,0' "--q-list $inputs/list.csv"; do
	for option in '--wavelength 1' '--energy 8keV'; do
		# shellcheck disable=SC2086
		fails 2 "${option%% *}: has no effect with ${vectors%% *}, but for --anomalous" pattern "$data/C60.xyz" $vectors $option
		# shellcheck disable=SC2086
		ok "$vectors $option: anomalous" pattern "$data/C60.xyz" $vectors $option --anomalous henke
	done
done
for option in '--u 1,0,0' '--v 0,1,0' '--w 0,0,1'; do
	# shellcheck disable=SC2086
	fails 2 "${option%% *}: has no effect without --h" pattern "$data/C60.xyz" --wavelength 1 $option
done
fails 2 'tolerance: has no effect with --method direct' pattern "${c60[@]}" --method direct --tolerance 1e-3
fails 2 'error-blocks: is for means over --frames of a trajectory, and this is one sample' pattern "${c60[@]}" --error-blocks 2
fails 2 'error-blocks: is for means over --frames of a trajectory, and this is one sample' pattern "${c60[@]}" --error-blocks 2 --plan
printf 'q Xx\n0 1\n100 1\n' >"$inputs/others.txt"
ok_warned 'others\.txt: has none of the labels of the sample, whose form factors are those of the table' "form factors of other labels" \
	pattern "${c60[@]}" --form-factors "$inputs/others.txt" -o others.csv
check "form factors of other labels: those of the table" same_bodies others.csv c60.csv
fails 2 'u: two of --u, --v, and --w are parallel' pattern "$data/C60.xyz" --h 0:1:3 --k 0:1:3 --u 1,0,0 --v -2,0,0
fails 2 "detector: '3' is not COLUMNS,ROWS" pattern "$data/C60.xyz" --detector 3 --wavelength 1 --distance 5
fails 2 'detector: 2\.5 is not a number of pixels' pattern "$data/C60.xyz" --detector 2.5,3 --wavelength 1 --distance 5
fails 2 'distance: give that of the detector' pattern "$data/C60.xyz" --detector 3,3 --wavelength 1
fails 2 'beam-center: .*, two numbers' pattern "$data/C60.xyz" --detector 3,3 --wavelength 1 --distance 5 --beam-center 1,2,3
fails 2 'wavelength: ' pattern "$data/C60.xyz" --detector 3,3 --distance 5
fails 2 'detector: scattering vectors are given in several ways' pattern "$data/C60.xyz" --detector 3,3 --wavelength 1 --distance 5 --h 0:1:2
printf '1 2 3\n4 5\n' >"$inputs/short.txt"
fails 2 'short\.txt:2: .*' pattern "$data/C60.xyz" --q-list "$inputs/short.txt"
printf '# nothing\n' >"$inputs/empty.txt"
fails 2 'empty\.txt: has no rows of numbers' pattern "$data/C60.xyz" --q-list "$inputs/empty.txt"
fails 2 'list\.csv: would replace' pattern "$data/C60.xyz" --q-list "$inputs/list.csv" -f -o "$inputs/list.csv"
printf '1\n\nXq 0 0 0\n' >"$inputs/unknown.xyz"
fails 2 "unknown\.xyz: atom 1.*Xq" pattern "$inputs/unknown.xyz" --wavelength 1
fails 2 'x\.what: ' pattern "${c60[@]}" -o x.what
printf '2\n\nC 0 0 0\nC 9e6 0 0\n' >"$inputs/far.xyz"
fails 2 'the sample is too large: q = 30 at ' pattern "$inputs/far.xyz" --wavelength 0.1 --q 1:30:3
printf '2\n\nH 0 0 0\nO 1 0 0\n' >"$inputs/light.xyz"
printf '2\n\nD 0 0 0\nO 1 0 0\n' >"$inputs/heavy.xyz"
ok "labels" pattern "$inputs/light.xyz" --radiation neutron --wavelength 1 --q 1:5:5 --labels H=D -o relabeled.csv
ok "the isotope itself" pattern "$inputs/heavy.xyz" --radiation neutron --wavelength 1 --q 1:5:5 -o isotope.csv
check "labels: the same pattern" [ "$(grep -v '^#' relabeled.csv)" = "$(grep -v '^#' isotope.csv)" ]
fails 2 "labels: the sample has no 'h', did you mean 'H'?" pattern "$inputs/light.xyz" --radiation neutron --wavelength 1 --labels h=D

# means over equivalent points: of C60, whose own symmetry m-3 leaves h and k different, with m-3m
plane=(--h -2:2:9 --k -2:2:9 --u 1,0,0 --v 0,1,0 --w 0,0,1)
ok "a plane" pattern "$data/C60.xyz" "${plane[@]}" -o laue-none.csv
ok "a Laue class" pattern "$data/C60.xyz" "${plane[@]}" --laue-class m-3m -o laue.csv
check "a Laue class: means over h,k and k,h with all signs" awk -F, '/^[#h]/ {next} NR == FNR {I[$1, $2] = $4; next}
	{ mean = 0; for (i = -1; i <= 1; i += 2) for (j = -1; j <= 1; j += 2) mean += (I[i*$1 + 0, j*$2 + 0] + I[j*$2 + 0, i*$1 + 0])/8
	  d = $4/mean - 1; if (d > 1e-10 || d < -1e-10) bad = 1; d = $4/I[$1, $2] - 1; if (d > 0.01) moved = 1; ++n }
	END {exit bad || !moved || n != 81}' laue-none.csv laue.csv
fails 2 "laue-class: 'm3m' is not a Laue class: -1, 2/m" pattern "$data/C60.xyz" "${plane[@]}" --laue-class m3m -o no.csv
fails 2 'laue-class: the vectors of h, k, l do not have the symmetry m-3m' pattern "$data/C60.xyz" "${plane[@]::4}" --u 1,0,0 --v 0,1.1,0 --w 0,0,1 --laue-class m-3m -o no.csv
fails 2 'laue-class: is for lines, planes, and volumes' pattern "$data/C60.xyz" --q 1:2:3 --wavelength 1 --laue-class m-3m -o no.csv
fails 2 'laue-class: means are those of I' pattern "$data/C60.xyz" "${plane[@]}" --laue-class mmm --amplitude -o no.csv
finish
