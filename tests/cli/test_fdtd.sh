# sonde fdtd: a slab against Airy's formula, modes of a box, units, files, plans, reproducibility, and invalid input.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
export SONDE_DATA=$here/../../data

fdtd() { sonde fdtd "$@" --device cpu; }
# the numbers of a monitor in a table: without comments and names of columns
monitor() { monitor_table "$@"; } # FILE NAME
numbers_of() { grep -v '^#' "$1"; } # FILE
# a job with some words in place of others
changed() { # JOB NEW SED...
	sed "${@:3}" "$inputs/$1.yaml" >"$inputs/$2.yaml"
}

# A slab, n = 2, 1 um thick, 40 cells of 25 nm; c/d = 299.792458 THz
cat >"$inputs/slab.yaml" <<'END'
fdtd:
  size: [0, 0, 3 um]
  cell: 25 nm
  time: 1 ps
  until: 1e-5
  boundaries: [{alpha: 0}]
  materials: [{name: glass, index: 2}]
  bodies: [{material: glass, shape: box, size: [0, 0, 1 um]}]
  sources: [{kind: plane-wave, direction: [0, 0, 1], polarization: [1, 0, 0], frequency: 180 THz, bandwidth: 100 THz}]
  monitors:
    - {name: T, kind: flux, center: [0, 0, 1 um], frequencies: 120 THz:240 THz:25, normalize: reference}
    - {name: R, kind: flux, center: [0, 0, -1.45 um], frequencies: 120 THz:240 THz:25, normalize: reflection}
END
# Airy: R = F sin^2 d/(1 + F sin^2 d), F = 4 r^2/(1 - r^2)^2, r = 1/3, d = 2 pi f n L/c
airy() { # FILE MOST
	paste -d, <(monitor "$1" R) <(monitor "$1" T) | awk -F, -v most="$2" '{
		s = sin(2*3.14159265358979*$1*2e-6/299792458); r = 0.5625*s*s/(1 + 0.5625*s*s)
		off = $5 - r; if (off < 0) off = -off; if (off > worst) worst = off
		sum = $5 + $10 - 1; if (sum < 0) sum = -sum; if (sum > loss) loss = sum
	} END {exit !(NR == 25 && worst > 0.3*most && worst < most && loss < 1e-4)}'
}
ok "slab" fdtd "$inputs/slab.yaml" -o slab.csv
check "slab: Airy within 8.6e-3, and nothing is lost" airy slab.csv 8.6e-3
check "slab: says what it did" has_line "$out" '^1 x 1 x 142 cells, [0-9]* steps = '
ok "slab: half the cells" fdtd "$inputs/slab.yaml" --cell 50nm -o coarse.csv
check "slab: second order" airy coarse.csv 3.4e-2
ok "slab: float64" fdtd "$inputs/slab.yaml" --precision float64 -o double.csv
ok "slab: float16-storage" fdtd "$inputs/slab.yaml" --precision float16-storage -o words.csv
check "slab: float16-storage states its error" has_line "$out" '^error: .* of round-off'
# the runs for its error, with cells twice as long, have fewer cells per wavelength than are advised
fdtd "$inputs/slab.yaml" --precision float16-storage --cell 40nm -o words_few.csv >"$out" 2>"$err"
check "slab: float16-storage, no warning of meshes other than the job's" lacks "$err" "mesh is coarse"
# coarser cells bring the sphere up to the box of the wave
sed 's/time: 60 fs/time: 5 fs/' "$here/../../examples/mie_sphere/job.yaml" >"$inputs/sphere.yaml"
fdtd "$inputs/sphere.yaml" --precision float16-storage -o sphere.csv >"$out" 2>"$err"
check "sphere: float16-storage, an error that is not measured" has_line "$err" "error of fields in 16 bits is a formula's"
check "slab: Airy, float64" airy double.csv 8.6e-3
fails 2 'slab\.csv' fdtd "$inputs/slab.yaml" -o slab.csv
ok "slab: the standard output" fdtd "$inputs/slab.yaml"
check "slab: there it is" [ "$(rows "$out")" = 25 ]
check "slab: one table of both monitors" has_line slab.csv '^frequency_Hz,wavelength_m,T_power_J/Hz,T_reference_J/Hz,T_transmission,R_power_J/Hz,R_reference_J/Hz,R_reflection$'
check "slab: one table of both monitors: as text" has_line "$out" '^# frequency \[Hz\]  wavelength \[m\]  T_power \[J/Hz\]  .*  R_reflection$' 
changed slab units 's/3 um/3000 nm/; s/cell: 25 nm/cell: 2.5e-8/; s/1 ps/1000 fs/; s/180 THz/0.18 PHz/; s/index: 2/permittivity: 4/'
ok "slab: in other units" fdtd "$inputs/units.yaml" -o units.csv
check "slab: the same numbers" same_files <(numbers_of slab.csv) <(numbers_of units.csv)
turn() { # AXIS VECTOR: the z of a vector along that axis, its x along the next one
	[[ $1 = y ]] && echo "[0, \3, \1]" || echo "[\3, \1, 0]"
}
for axis in x y; do
	changed slab $axis "s/\[\([^],]*\), \([^],]*\), \([^],]*\)\]/$(turn $axis)/g"
	ok "slab: along $axis" fdtd "$inputs/$axis.yaml" -o $axis.csv
	check "slab: along $axis the same numbers" same_files <(numbers_of slab.csv) <(numbers_of $axis.csv)
done
# glass in water is a slab of the quotient in vacuum, of longer waves; steps of time are others
changed slab water 's/time: 1 ps/background: 1.25\n  time: 1 ps/; s/index: 2/index: 2.5/; s/180 THz/144 THz/; s/100 THz/80 THz/; s/120 THz:240 THz/96 THz:192 THz/'
ok "background" fdtd "$inputs/water.yaml" -o water.csv
check "background: the same" awk -F, 'NR == FNR {a[++n] = $5; next} {off = $5 - a[++k]; if (off > 1e-3 || off < -1e-3) bad = 1} END {exit bad || n != k || n != 25}' \
	<(monitor slab.csv R) <(monitor water.csv R)

# A box of 1 x 0.8 x 0.6 um: modes of the grid, 20 cells in 1 um; c/2 sqrt((m/a)^2 + (n/b)^2 + (p/c)^2)
cat >"$inputs/box.yaml" <<'END'
fdtd:
  size: 1 um, 0.8 um, 0.6 um
  cell: 50 nm
  time: 200 fs
  boundaries: [{kind: conductor}]
  sources: [{kind: dipole, center: [-310 nm, -180 nm, -130 nm], polarization: [1, 1.3, 0.7], frequency: 300 THz, bandwidth: 150 THz}]
  monitors:
    - {name: modes, kind: resonances, center: [120 nm, 230 nm, 110 nm], components: Ex, frequencies: 280 THz:400 THz:2}
    - {name: near, kind: point, center: [120 nm, 230 nm, 110 nm], components: [Ez, Hx], every: 1 fs}
END
ok "box" fdtd "$inputs/box.yaml" -o box.csv
# (0, 1, 1) and (1, 1, 1): 312.283 and 346.396 THz of the continuum, 1.3e-3 and 7.8e-4 less on this grid
check "box: two modes" awk -F, '{f[NR] = $1/1e12; q[NR] = $5} END {exit !(NR == 2 && f[1] > 311.87 && f[1] < 311.89 && f[2] > 346.12 && f[2] < 346.14)}' <(monitor box.csv modes)
check "box: they do not decay" awk -F, '{if ($5 < 1e5 && $5 > -1e5) bad = 1} END {exit bad}' <(monitor box.csv modes)
ok "box: file" fdtd "$inputs/box.yaml" -o box.h5
check "box: HDF5" is_hdf5 box.h5
check "box: tells the modes" has_line "$out" '^modes: 311\.8[0-9]* \+- [0-9.e+-]* THz, Q '
ok "info" sonde info box.h5
check "info: what" has_line "$out" "^what  *Maxwell's equations in time$"
check "info: cells" has_line "$out" '^cells  *20 x 16 x 12, of these 20 x 16 x 12 between'
check "info: errors" has_line "$out" '^error  *about [0-9.e-]+ of the grid, [0-9.e-]+ of the end, [0-9.e-]+ of round-off$'
check "info: monitors" has_line "$out" '^monitor  *near: .*Ez \['
check "info: options" has_line "$out" 'courant = 0.5$'

# Files of fields: as exact as the run, complex numbers by choice, the job's own words; the result that a program draws first
cat >"$inputs/fields.yaml" <<'END'
# these are the words of this job
fdtd:
  size: 600 nm, 600 nm, 0
  cell: 20 nm
  time: 30 fs
  until: 1e-3
  sources: [{kind: dipole, polarization: [0, 0, 1], wavelength: 600 nm}]
  monitors:
    - {name: f, kind: fields, size: [400 nm, 400 nm, 0], wavelengths: 500 nm:700 nm:3}
    - {name: s, kind: snapshot, size: [400 nm, 400 nm, 0], every: 5 fs}
END
ok "fields" fdtd "$inputs/fields.yaml" -o fields.h5
ok "fields: compound" fdtd "$inputs/fields.yaml" -o compound.h5 --complex-numbers compound
ok "fields: float64" fdtd "$inputs/fields.yaml" -o wide.h5 --precision float64
check "fields: float64 takes more room" [ "$(wc -c <wide.h5)" -gt "$(($(wc -c <fields.h5) * 7 / 5))" ]
check "fields: the job's own words" grep -qa 'these are the words of this job' fields.h5
ok "fields: info" sonde info fields.h5
check "fields: info: pairs" has_line "$out" '^monitor  *f: .*Ez_imag \[3, 21, 21, 1\]'
ok "fields: info of a compound" sonde info compound.h5
check "fields: info of a compound: one array" has_line "$out" '^monitor  *f: .*Ez \[3, 21, 21, 1\]'
if python3 -c 'import h5py, numpy' 2>/dev/null; then
	cat >"$inputs/fields.py" <<'END'
import h5py, numpy
pairs, compound, wide = (h5py.File(name + ".h5")["fdtd"] for name in ("fields", "compound", "wide"))
assert [bytes(of.attrs["signal"]) for of in (pairs["f"], compound["f"], pairs["s"])] == [b"Ez_real", b"Ez", b"Ez"]
assert compound["f/Ez"].dtype == numpy.complex64 and pairs["f/Ez_real"].dtype == numpy.float32 and wide["f/Ez_real"].dtype == numpy.float64
assert (compound["f/Ez"][:] == pairs["f/Ez_real"][:] + 1j * pairs["f/Ez_imag"][:]).all()
difference = numpy.abs(wide["f/Ez_real"][:] - pairs["f/Ez_real"][:]).max() / numpy.abs(wide["f/Ez_real"][:]).max()
assert 0 < difference < 1e-5, difference
END
	ok "fields: as h5py reads them" python3 "$inputs/fields.py"
else
	skip "fields: as h5py reads them" "no h5py here"
fi

# Dipoles, bodies, a far field in three dimensions: the same bits on any number of threads
cat >"$inputs/sphere.yaml" <<'END'
fdtd:
  size: 600 nm, 600 nm, 600 nm
  cell: 25 nm
  time: 15 fs
  materials: [{name: lossy, permittivity: [4, 3, 2], conductivity: 1000}]
  bodies:
    - {material: lossy, shape: sphere, radius: 150 nm}
    - {material: Au-JC, shape: box, center: [0, 0, 100 nm], size: [100 nm, 100 nm, 40 nm], rotation: [0, 30, 0]}
  sources:
    - {kind: plane-wave, direction: [0, 0, 1], polarization: [1, 0, 0], wavelength: 900 nm}
    - {kind: dipole, center: [10 nm, 20 nm, -170 nm], polarization: [1, 1, 0], wavelength: 900 nm, amplitude: 1e-9}
  monitors:
    - {name: c, kind: cross-section, wavelengths: 800 nm:1 um:3}
    - {name: p, kind: point, center: [40 nm, 0, 0], components: [Ex, Hy]}
    - {name: f, kind: far-field, size: [575 nm, 575 nm, 575 nm], wavelengths: 900 nm:900 nm:1}
    - {name: s, kind: snapshot, size: [300 nm, 0, 300 nm], every: 5 fs}
END
ok "one thread" fdtd "$inputs/sphere.yaml" --threads 1 -o one.csv
ok "two threads" fdtd "$inputs/sphere.yaml" --threads 2 -o two.csv
check "any number of threads" same_files <(numbers_of one.csv) <(numbers_of two.csv)
check "any number of threads: there are numbers" [ "$(rows one.csv)" -gt 400 ]

# A current of 2 A m: far field as sin^2 theta, and its power
cat >"$inputs/dipole.yaml" <<'END'
fdtd:
  size: 900 nm, 900 nm, 900 nm
  cell: 30 nm
  time: 40 fs
  until: 1e-4
  sources: [{kind: dipole, center: [0, 0, 15 nm], wavelength: 600 nm, amplitude: 2}]
  monitors:
    - {name: box, kind: flux, size: [600 nm, 600 nm, 600 nm], wavelengths: 600 nm:600 nm:1}
    - {name: far, kind: far-field, size: [600 nm, 600 nm, 600 nm], wavelengths: 600 nm:600 nm:1, theta: 0:90:4, phi: 0:0:1}
END
ok "dipole" fdtd "$inputs/dipole.yaml" -o dipole.csv
check "dipole: box and far field have the same power" awk -F, 'NR == 1 {a = $3} NR == 2 {b = $3} END {exit !(a > 0 && a/b > 0.9999 && a/b < 1.0001)}' \
	<(monitor dipole.csv box; monitor dipole.csv far)

# A small sphere without losses in an oblique wave, with smooth surfaces, x = 0.314: Mie has 0.006748, three cells per radius 2 % more, staircases 6 %
cat >"$inputs/small.yaml" <<'END'
fdtd:
  size: 400 nm, 400 nm, 400 nm
  cell: 20 nm
  time: 40 fs
  until: 1e-4
  average: tensor
  materials: [{name: glass, permittivity: 4}]
  bodies: [{material: glass, shape: sphere, radius: 60 nm}]
  sources: [{kind: plane-wave, direction: [1, 2, 2], polarization: [0, 1, -1], wavelength: 1200 nm}]
  monitors: [{name: c, kind: cross-section, wavelengths: 1200 nm:1200 nm:1}]
END
ok "small sphere" fdtd "$inputs/small.yaml" -o small.csv
check "small sphere: nothing is absorbed, and what is scattered" awk -F, '{q = $3/(3.14159265358979*60e-9^2)} END {exit !(NR == 1 && $4 == 0 && q > 0.0066 && q < 0.0070)}' \
	<(monitor small.csv c)

# A slanting bar that continues through the layers, with smooth surfaces: oscillations decay. The map has the means of its surfaces, which are between 1 and 4
cat >"$inputs/slanting.yaml" <<'END'
fdtd:
  size: 500 nm, 500 nm, 0
  cell: 25 nm
  time: 60 fs
  materials: [{name: glass, index: 2}]
  bodies: [{material: glass, shape: box, size: [4 um, 200 nm, 1 um], rotation: [0, 0, 20]}]
  sources: [{kind: dipole, center: [50 nm, 10 nm, 0], polarization: [1, 0.3, 0], wavelength: 1000 nm}]
  monitors: [{name: p, kind: point, center: [100 nm, 100 nm, 0]}, {name: map, kind: fields, center: [0, 100 nm, 0], size: [500 nm, 0, 0], frequencies: 430 THz:430 THz:1}]
END
ok "slanting bar" fdtd "$inputs/slanting.yaml" -o slanting.csv
check "slanting bar: what rings dies away" awk -F, '{e = $2^2 + $3^2; most = e > most ? e : most; last = e} END {exit !(NR > 1000 && most > 0 && last < 1e-6*most)}' \
	<(monitor slanting.csv p)
check "slanting bar: means of surfaces" awk -F, 'NF == 8 {n += $2 > 1.05 && $2 < 3.95; bad += !($2 > 0.999 && $2 < 4.001)} END {exit !(n >= 4 && !bad)}' \
	<(monitor slanting.csv map)
# A body next to a metal is smooth, too, and its poles and surface take memory
changed slanting gold 's/^  bodies: \[/&{material: Au-JC, shape: cylinder, radius: 60 nm, height: 1 um, center: [150 nm, -150 nm, 0]}, /'
ok "slanting bar beside gold" fdtd "$inputs/gold.yaml" -o gold.csv
check "slanting bar beside gold: means of surfaces" awk -F, 'NF == 8 {n += $2 > 1.05 && $2 < 3.95} END {exit !(n >= 4)}' <(monitor gold.csv map)
bytes_of_cell() { sed -n 's/^rate .* \([0-9.]*\) bytes per cell.*/\1/p' "$out"; }
for average in tensor faces; do
	ok "plan with gold, $average" fdtd "$inputs/gold.yaml" --average "$average" --plan
	bytes_of_cell >"bytes-$average"
done
ok "plan without gold" fdtd "$inputs/slanting.yaml" --plan
check "plan: memory of poles and surfaces" awk '{bytes[NR] = $1} END {exit !(bytes[1] > 1.02*bytes[2] && bytes[2] > 1.02*bytes[3] && bytes[1] < 10*bytes[3])}' \
	<(cat bytes-tensor bytes-faces; bytes_of_cell)

# A hole in a conducting screen is open where it is as thick as the screen, as where it is thicker
cat >"$inputs/hole.yaml" <<'END'
fdtd:
  size: 400 nm, 400 nm, 500 nm
  cell: 25 nm
  time: 15 fs
  boundaries: [{kind: periodic, face: x}, {kind: periodic, face: y}]
  materials: [{name: metal, conductor: true}]
  bodies:
    - {material: metal, shape: box, size: [400 nm, 400 nm, 50 nm]}
    - {material: vacuum, shape: cylinder, radius: 130 nm, height: 50 nm}
  sources: [{kind: plane-wave, direction: [0, 0, 1], polarization: [1, 0, 0], frequency: 450 THz}]
  monitors: [{name: T, kind: flux, center: [0, 0, 125 nm], size: [400 nm, 400 nm, 0], frequencies: 400 THz:600 THz:3}]
END
ok_warned 'of the peak field remaining' "hole" fdtd "$inputs/hole.yaml" -o hole.csv
changed hole long 's/height: 50 nm/height: 70 nm/'
ok_warned 'of the peak field remaining' "hole: a longer one" fdtd "$inputs/long.yaml" -o long.csv
check "hole: light comes through" awk -F, '{n += $3 > 0} END {exit n != 3}' <(monitor hole.csv T)
check "hole: the same" same_files <(monitor hole.csv T) <(monitor long.csv T)

# accepted input
ok "plan" fdtd "$inputs/sphere.yaml" --plan
check "plan: cells" has_line "$out" '^cells  *46 x 46 x 46 = 9\.734e\+04, of these 24 x 24 x 24 between the layers$'
check "plan: steps" has_line "$out" '^steps  *360 = '
sonde fdtd "$inputs/sphere.yaml" --device cpu --plan --json >plan.json 2>"$err"
check "plan: JSON" has_line plan.json '^\{"command": "fdtd", "cells": \[46, 46, 46\], .*"steps": 360, .*\}$'
sonde fdtd "$inputs/slab.yaml" --device cpu --json -o json.csv >run.json 2>"$err"
check "JSON" has_line run.json '^\{"command": "fdtd", "cells": \[1, 1, 142\], "steps": [0-9]*, .*\}$'

# The sums of monitors take memory; many frequencies are summed block by block, with the results of few
sums() { # NAME FREQUENCIES OF-FIELDS
	cat >"$inputs/$1.yaml" <<-JOB
		fdtd:
		  size: 600 nm, 400 nm, 0
		  cell: 20 nm
		  time: 6 fs
		  sources: [{kind: dipole, polarization: [0, 0, 1], frequency: 400 THz, bandwidth: 400 THz, delay: 3 fs}]
		  monitors:
		    - {name: through, kind: flux, center: [200 nm, 0, 0], size: [0, 300 nm, 0], frequencies: 300THz:500THz:$2}
		    - {name: around, kind: fields, center: [200 nm, 0, 0], size: [40 nm, 40 nm, 0], frequencies: 300THz:500THz:$3}
	JOB
}
sums many 40001 20001
sums few 3 3
sums most 1000000 1000000
bytes_of_plan() { sonde fdtd "$inputs/$1.yaml" --device cpu --plan --json 2>"$err" | sed -n 's/.*"device_memory": \([0-9.e+]*\).*/\1/p'; }
# of the flux 15 + 16 edges, with two faces each, more than are read at a time; of the fields 9 nodes
check "plan: memory of sums" awk '{bytes[NR] = $1} END {part = (bytes[1] - bytes[2])/(16*(40001*93 + 20001*(27 + 2*27))); exit !(part > 0.9 && part < 1.3)}' \
	<(bytes_of_plan many; bytes_of_plan few)
ok_warned 'spectra' "many frequencies" sonde fdtd "$inputs/many.yaml" --device cpu -o many.csv
ok_warned 'spectra' "3 frequencies" sonde fdtd "$inputs/few.yaml" --device cpu -o few.csv
for name in through around; do
	check "many frequencies: the same numbers, $name" awk -F, 'NR == FNR {few[$0] = 1; ++n; next} $0 in few {++found} END {exit !(n >= 3 && found == n)}' \
		<(monitor few.csv $name | grep '^[0-9]') <(monitor many.csv $name | grep '^[0-9]')
done
sed -i 's/size: \[40 nm, 40 nm, 0\]/size: [150 nm, 300 nm, 0]/' "$inputs/most.yaml"
fails 3 'monitors: their sums and results need [0-9.e+]* GB in addition to' sonde fdtd "$inputs/most.yaml" --cell 1nm --device cpu -o most.csv

# a mesh that is too coarse is said, and computed
sonde fdtd "$inputs/slab.yaml" --device cpu --cell 125nm -o coarser.csv >"$out" 2>"$err"
check "coarse mesh: exits with 0" [ $? = 0 ]
check "coarse mesh: told" one_line '^sonde: warning: the mesh is coarse: .* cells per wavelength'

# refusals: one line with file, line and key, exit code 2, and no file
cat >"$inputs/base.yaml" <<'END'
fdtd:
  size: 400 nm, 400 nm, 400 nm
  cell: 20 nm
  time: 5 fs
  materials:
    - {name: glass, permittivity: 2}
  bodies:
    - {material: glass, shape: sphere, radius: 100 nm}
  sources:
    - {kind: dipole, center: [0, 0, 160 nm], frequency: 400 THz}
  monitors:
    - {name: a, kind: point}
END
refused() { # REGEX SED...
	local regex=$1 arguments=() script
	shift
	for script; do arguments+=(-e "$script"); done
	sed "${arguments[@]}" "$inputs/base.yaml" >"$inputs/job.yaml"
	fails 2 "job\.yaml:$regex" fdtd "$inputs/job.yaml" -o out.h5
}
ok "the job that is changed here" fdtd "$inputs/base.yaml" -o base.h5
# numbers and keys
refused "8:40: unknown key 'radios', did you mean 'radius'" 's/radius:/radios:/'
refused "4:3: unknown key 'tim', did you mean 'time'" 's/time:/tim:/'
refused "4:3: duplicate key 'cell'" 's/time: .*/cell: 30 nm/'
refused "3:9: cell: '20 fs'" 's/20 nm/20 fs/'
refused "4:9: time: '5 nm'" 's/5 fs/5 nm/'
refused "3:9: cell: 'nan'" 's/20 nm/nan/'
refused "6:35: permittivity: 'nan'" 's/permittivity: 2/permittivity: nan/'
refused "4:9: time: 'inf'" 's/5 fs/inf/'
refused '8:48: radius: -1e-07 is out of range' 's/100 nm/-100 nm/'
refused '2:9: size: -4e-07 is out of range' 's/size: 400/size: -400/'
refused '6:35: permittivity: -2 is out of range' 's/permittivity: 2/permittivity: -2/'
refused "10:14: kind: 'dipol' is not one of .*did you mean 'dipole'" 's/kind: dipole/kind: dipol/'
refused '11:13: .*list' 's/monitors:/monitors: 3/' 's/^    - {name: a.*//'
refused '4:10: steps: 1e\+13 is out of range' 's/time: 5 fs/steps: 1e13/'
# the grid
refused ' fdtd: size: required' '/size:/d'
refused ' fdtd: cell: required' '/cell:/d'
refused '2: fdtd: size: .* cells of 2e-06 m; 1 to' 's/20 nm/2 um/'
refused '2: fdtd: size: 100000 m along x are 5e\+12 cells' 's/size: .*/size: 1e5, 1e5, 1e5/'
refused '4: fdtd: courant: 0\.6 is not stable.* at most 0\.577' 's/time:/courant: 0.6\n  time:/'
refused ' fdtd: time: required' '/time:/d'
refused '4: fdtd: steps: only one of .time:. and .steps:.' 's/time:/steps: 5\n  time:/'
refused ' fdtd: boundaries: only one side of x is periodic' 's/time:/boundaries: [{face: x-low, kind: periodic}]\n  time:/'
fails 3 'the largest grid that fits has cells [0-9.]* times as long' fdtd "$inputs/base.yaml" --size '1mm,1mm,1mm' -o out.h5
fails 3 'the largest grid that fits has cells [0-9.]* times as long' fdtd "$inputs/base.yaml" --size '1mm,1mm,1mm' --plan
# materials and bodies
refused "8: bodies 1: 'glas' is not one of the job's materials, did you mean 'glass'" 's/material: glass/material: glas/'
refused "8: bodies 1: .*unknown optical material 'Goldd', did you mean 'gold'" 's/material: glass/material: Goldd/'
refused "7: materials 2: name: an earlier material is also named 'glass'" 's/^    - {name: glass.*/&\n&/'
refused '6: materials 1: only one of permittivity, index and library' 's/permittivity: 2/&, index: 2/'
refused '6: materials 1: has a composition, but no optical constants' 's/permittivity: 2/composition: SiO2/'
refused '7: materials 1: fields in it would grow without bound.* courant must be at most 0\.1825' 's/permittivity: 2/permittivity: 0.1/; s/time:/courant: 0.5\n  time:/'
refused '6: materials 1: lorentz: .*creates energy' 's/permittivity: 2/lorentz: [[1, 500 THz, -2 THz]]/'
refused '6: materials 1: lorentz: write a list of poles' 's/permittivity: 2/lorentz: [[1, 500 THz]]/'
refused '6: materials 1: the resonance at 5e\+05 THz is too fast' 's/permittivity: 2/lorentz: [[1, 500000 THz, 1 THz]]/'
refused '8: bodies 1: it lies outside the grid' 's/radius: /center: [900 nm, 0, 0], radius: /'
refused '8: bodies 1: radius = 0' 's/, radius: 100 nm//'
refused '8: bodies 1: shape: required' 's/shape: sphere, //'
refused '8: bodies 1: file: required' 's/shape: sphere, radius: 100 nm/shape: stl/'
refused '8: bodies 1: none\.stl: cannot be read: No such file or directory; searched the job.s folder .* and the current one' 's/shape: sphere, radius: 100 nm/shape: stl, file: none.stl/'
printf 'solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid\n' >"$inputs/open.stl"
refused '8: bodies 1: .*open\.stl: the surface is not closed: 3 open edges' "s|shape: sphere, radius: 100 nm|shape: stl, file: $inputs/open.stl, scale: 100 nm|"
# sources
refused ' fdtd: sources: none given' '/sources:/,+1d'
refused ' fdtd: sources: none given' 's/sources:/sources: []/' '/kind: dipole/d'
refused '10: sources 1: center: .* it cannot be in an absorbing layer' 's/160 nm/260 nm/'
refused '10: sources 1: center: it lies in a perfect conductor' 's/permittivity: 2/conductor: true/' 's/160 nm/10 nm/'
refused '11: sources 1: center: it lies on a side where its image cancels it: a current does not radiate along a perfect conductor' 's/^  time: 5 fs/&\n  boundaries: [{face: z, kind: conductor}]/' \
	's/160 nm/200 nm/' 's/frequency: 400 THz/polarization: [1, 0, 0], &/'
# reported before the run without bodies, which would never end
refused '10: sources 1: center: it lies in a perfect conductor' 's/permittivity: 2/conductor: true/' 's/160 nm/10 nm/' 's/time: 5 fs/time: 10 us/' \
	's/kind: point/kind: flux, size: [100 nm, 100 nm, 0], center: [0, 0, 80 nm], frequencies: 400 THz:500 THz:3, normalize: reference/'
refused '10: sources 1: kind: required' 's/kind: dipole, //'
refused '10: sources 1: frequency: required' 's/, frequency: 400 THz//'
refused '10: sources 1: frequency: 2e\+04 THz is too high' 's/400 THz/20000 THz/'
refused '10: sources 1: polarization: 0,0,0' 's/frequency/polarization: [0, 0, 0], frequency/'
refused '10: sources 1: polarization: .*perpendicular' 's/kind: dipole, center: .*160 nm\]/kind: plane-wave, polarization: [1, 0, 0]/'
refused '10: sources 1: center: it lies in a body, index 1\.414, but monitors 1' 's/kind: dipole, center: .*160 nm\]/kind: sheet, direction: [0, 0, 1], polarization: [1, 0, 0]/' \
	's/shape: sphere, radius: 100 nm/shape: box, size: [400 nm, 400 nm, 400 nm]/' \
	's/kind: point/kind: flux, size: [100 nm, 100 nm, 0], center: [0, 0, 80 nm], frequencies: 400 THz:500 THz:3, normalize: reference/'
refused '10: sources 1: a body extends through' 's/kind: dipole, center: .*160 nm\]/kind: plane-wave, size: [100 nm, 100 nm, 100 nm]/'
refused '4: fdtd: until: a source is endless' 's/400 THz/400 THz, waveform: ramped-sine/' 's/time: 5 fs/until: 1e-3/'
refused '10: sources 1: none\.txt: cannot be read: .*; searched the job.s folder' 's/frequency: 400 THz/waveform: file, file: none.txt/'
wave="s|frequency: 400 THz|waveform: file, file: $inputs/wave.txt|"
printf '0 1\n1e-15 x\n' >"$inputs/wave.txt" && refused "10: sources 1: .*wave\.txt:2: .*'x'" "$wave"
printf '0 1\n1e-15 2\n1e-15 3\n' >"$inputs/wave.txt" && refused '10: sources 1: .*wave\.txt:3: .*times must increase' "$wave"
printf '0 1\n' >"$inputs/wave.txt" && refused '10: sources 1: .*wave\.txt: .*at least two' "$wave"
# monitors
refused ' fdtd: monitors: none given' '/monitors:/,+1d'
refused "13: monitors 2: name: an earlier monitor is also named 'a'" 's/^    - {name: a.*/&\n&/'
refused "12: monitors 1: name: 'a/b'" 's|name: a|name: a/b|'
refused "12: monitors 1: name: 'grid'" 's/name: a/name: grid/'
refused '12: monitors 1: size: it has no area' 's/kind: point/kind: flux, frequencies: 400 THz:500 THz:3/'
refused '12: monitors 1: kind: resonances are searched after the sources have ended, from step [0-9]* on' 's/kind: point/kind: resonances, frequencies: 400 THz:500 THz:2/; s/steps: [0-9]*/steps: 60/; s/time: .*fs/steps: 60/'
refused '12: monitors 1: frequencies: required' 's/kind: point/kind: flux, size: [0, 100 nm, 100 nm]/'
refused '12: monitors 1: frequencies: .* is too high' 's/kind: point/kind: flux, size: [0, 100 nm, 100 nm], frequencies: 400 THz:50000 THz:3/'
refused '12: monitors 1: kind: cross-sections need a plane wave' 's/kind: point/kind: cross-section, frequencies: 400 THz:500 THz:3/'
refused '12: monitors 1: normalize: not an option of a monitor of fields' 's/kind: point/kind: fields, normalize: reference, frequencies: 400 THz:500 THz:3/'
refused "12: monitors 1: center: its plane is the face of the plane wave's box at z = -1.4e-07 m; move it" \
	's/kind: dipole, center: .*160 nm\]/kind: plane-wave, direction: [0, 0, 1], polarization: [1, 0, 0]/' \
	's/kind: point/kind: flux, center: [0, 0, -140 nm], size: [100 nm, 100 nm, 0], frequencies: 400 THz:500 THz:3/'
refused "12: monitors 1: components: 'Fx'" 's/kind: point/kind: point, components: [Ez, Fx]/'
refused '12: monitors 1: it extends .* beyond the sides' 's/kind: point/kind: point, center: [0, 0, 900 nm]/'
sed 's/kind: point/kind: far-field, size: [300 nm, 300 nm, 300 nm], frequencies: 400 THz:500 THz:1000, theta: 0:180:10000, phi: 0:360:10000/' \
	"$inputs/base.yaml" >"$inputs/job.yaml"
fails 3 'a far field of 1e\+08 directions .* takes .* GB' fdtd "$inputs/job.yaml" -o out.h5
# files and commands
fails 2 'a job file is needed' fdtd
fails 2 'none\.yaml: cannot be read' fdtd none.yaml
: >"$inputs/empty.yaml"
fails 2 'empty\.yaml: is empty' fdtd "$inputs/empty.yaml"
fails 2 'unknown kind of file' fdtd "$inputs/base.yaml" -o out.pdf
# errors of a result
cat >"$inputs/errors.yaml" <<'EOF'
fdtd:
  size: 0, 0, 4 um
  cell: 20 nm
  time: 300 fs
  until: 1e-4
  materials: [{name: glass, index: 2}]
  bodies: [{shape: box, size: [1 um, 1 um, 300 nm], material: glass}]
  sources: [{kind: plane-wave, direction: [0, 0, 1], polarization: [1, 0, 0], frequency: 180 THz, bandwidth: 100 THz}]
  monitors: [{name: T, kind: flux, normalize: reference, center: [0, 0, 1.2 um], frequencies: 150 THz:200 THz:6}]
EOF
ok "errors: estimate" sonde fdtd "$inputs/errors.yaml" --device cpu -o estimate.csv
check "errors: estimate: a line" grep -Eq '^error: about [0-9.e-]+ of the grid, [0-9.e-]+ of the end, [0-9.e-]+ of round-off$' "$out"
json() { sonde "$@" --json >"$out" 2>"$err"; } # with progress on stderr
check "errors: none" json fdtd "$inputs/errors.yaml" --device cpu --error none -o none.csv
check "errors: none: no members" [ "$(grep -c grid_error "$out")" -eq 0 ]
check "errors: the same numbers" cmp -s <(grep -v '^#' estimate.csv) <(grep -v '^#' none.csv)
check "errors: companion" json fdtd "$inputs/errors.yaml" --device cpu --error companion -o companion.h5
check "errors: companion: member" grep -Eq '"companion_error": [0-9.e-]+' "$out"
ok "errors: companion: info" sonde info companion.h5
check "errors: companion: array" grep -q 'transmission-error \[6\]' "$out"
ok "errors: companion: plan" sonde fdtd "$inputs/errors.yaml" --device cpu --error companion --plan

# polyhedra, tubes, and shells as bodies are the solids of build
solid() { # NAME BODY BUILD
	printf '%s\n' 'fdtd:' '  size: [12 nm, 12 nm, 12 nm]' '  cell: 0.6 nm' '  steps: 100' '  average: tensor' \
		'  materials: [{name: glass, index: 2}]' "  bodies: [{material: glass, $2}]" \
		'  sources: [{kind: dipole, center: [3 nm, 0, 0], polarization: [0, 0, 1], frequency: 9000 THz, bandwidth: 5000 THz}]' \
		'  monitors: [{name: p, kind: point, center: [-4 nm, 0, 0]}]' >"$inputs/body.yaml"
	changed body built 's/material: glass, .*}/material: glass, shape: build}/'
	printf 'build: {cell: fcc, species: Au, a: 4.08, %s}\n' "$3" >>"$inputs/built.yaml"
	ok "$1" fdtd "$inputs/body.yaml" -o "$1_body.csv"
	ok "$1 of build" fdtd "$inputs/built.yaml" -o "$1_built.csv"
	check "$1: the same fields" same_files <(numbers_of "$1_body.csv") <(numbers_of "$1_built.csv")
}
solid octahedron 'shape: octahedron, edge: 5 nm' 'octahedron: 50'
solid tube 'shape: cylinder, radius: 4 nm, inner-radius: 2 nm, height: 6 nm' 'cylinder: [40, 60, 20]'
solid shell 'shape: truncated-cube, edge: 2.5 nm, hollow: 0.5' 'truncated-cube: 25, hollow: 0.5'
finish
