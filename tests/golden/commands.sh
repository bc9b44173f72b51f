# The commands whose numbers are recorded: every engine, every method, every kind of output, and every option that changes numbers, each in a fraction
# of a second. To be sourced. $scratch is a folder, $inputs one in it for input files, $data is tests/data, $examples the folder of examples.

# NAME OUTPUT WORDS...: a command of sonde that writes OUTPUT ("-": its standard output; "x": a folder).
names=() outputs=() commands=() bounds=()
command_of() {
	names+=("$1") outputs+=("$2") commands+=("${*:3}") bounds+=("$bound")
}
# Largest difference of numbers, relative to the largest of their column, on machines whose mathematical functions round in another way than those
# of the machine where the numbers were recorded.
exact=0 double=1e-11 single=2e-6

# Two hundred charges in a ball of 12 Angstrom, and points, by a generator of its own: the same with any awk.
random_rows='function random() { seed = (seed * 16807) % 2147483647; return seed / 2147483647 } BEGIN { seed = 7'

make_inputs() {
	local name
	awk "$random_rows; print 200; print \"Properties=species:S:1:pos:R:3:charge:R:1\"
		while (n < 200) { x = 24*random() - 12; y = 24*random() - 12; z = 24*random() - 12
			if (x*x + y*y + z*z < 144) { ++n; printf \"X %.4f %.4f %.4f %.4f\n\", x, y, z, 2*random() - 1 } } }" >"$inputs/ball.xyz"
	awk "$random_rows; for (n = 0; n < 100; ++n) printf \"%.4f %.4f %.4f\n\", 30*random() - 15, 30*random() - 15, 30*random() - 15 }" \
		>"$inputs/points.txt"
	awk "$random_rows; for (frame = 0; frame < 3; ++frame) {
			print 20; print \"Properties=species:S:1:pos:R:3:charge:R:1\"; seed = 11
			for (n = 0; n < 20; ++n) printf \"X %.4f %.4f %.4f %.4f\n\", 6*random(), 6*random(), 6*random(), 0.05*(n - 9.5)*(frame + 1) } }" \
		>"$inputs/frames.xyz"
	awk 'BEGIN { print 8; print "Lattice=\"5.64 0 0 0 5.64 0 0 0 5.64\" Properties=species:S:1:pos:R:3"
		for (n = 0; n < 8; ++n) { i = n % 2; j = int(n/2) % 2; k = int(n/4)
			printf "%s %.2f %.2f %.2f\n", (i + j + k) % 2 ? "Cl" : "Na", 2.82*i, 2.82*j, 2.82*k } }' >"$inputs/salt.xyz"
	sed '2s/$/ pbc="T T F"/' "$inputs/salt.xyz" >"$inputs/slab.xyz"
	sed '2s/$/ pbc="F F T"/' "$inputs/salt.xyz" >"$inputs/rod.xyz"
	printf '%s\n' 5 'neutrons' '58Ni 0 0 0' 'Ni 2.5 0 0' 'D 0 1.6 0.2' 'H 1 1 1' 'V 0 0 3' >"$inputs/isotopes.xyz"
	printf '%s\n' 6 'ions' 'Co2+ 0 0 0' 'O2- 2.13 0 0' 'Cval 0 2.1 0' 'Co 2.1 2.1 0' 'O 0 0 2.15' 'Au 3 3 3.3' >"$inputs/labels.xyz"
	printf '%s\n' 4 'Properties=species:S:1:pos:R:3:occupancy:R:1' 'Au 0 0 0 1' 'Cu 2 2 0 0.5' 'Au 2 0 2 0.75' 'Cu 0 2 2 1' >"$inputs/sites.xyz"
	printf '%s\n' 'ATOM      1  N   ALA A   1      11.1  12.2  13.3  0.5 1.5' 'ATOM      2  C   ALA A   1      12.1  12.2  14.3 -0.5 1.7' \
		>"$inputs/two.pqr"
	printf '%s\n' 'energy_keV,intensity' '2,0' '4,1' '9,0.25' >"$inputs/spectrum.txt"
	printf '%s\n' '1 2.5' '10 9' '100 25' '1000 20' >"$inputs/stopping.txt"
	printf '%s\n' 'species,energy_keV,x,y,z,cos_x,cos_y,cos_z' 'Ar,20,0,0,0,1,0,0' 'alpha,900,50,0,0,0.6,0.8,0' '7Li,400,50,0,0,-0.6,-0.8,0' \
		>"$inputs/particles.csv"
	printf 'solid\n' >"$inputs/wedge.stl"
	# a tetrahedron
	awk 'function facet(a, b, c) { print "facet normal 0 0 0\nouter loop\nvertex " a "\nvertex " b "\nvertex " c "\nendloop\nendfacet" }
		BEGIN { o = "-80 -70 -60"; x = "90 -60 -50"; y = "-50 85 -55"; z = "-45 -40 95"
			facet(o, y, x); facet(o, x, z); facet(o, z, y); facet(x, y, z); print "endsolid" }' >>"$inputs/wedge.stl"
	cp "$data/ions/ball.h5" "$inputs/"
	printf '0 0\n1e-15 0.3\n2e-15 1\n3e-15 0.2\n4e-15 -0.8\n5e-15 -0.1\n6e-15 0\n' >"$inputs/form.txt"
	make_fdtd_jobs
}

# NAME, then the body of the block fdtd: from the standard input
job_of() {
	{
		echo 'fdtd:'
		sed 's/^/  /'
	} >"$inputs/$1.yaml"
}
make_fdtd_jobs() {
	# one dimension: a slab of each kind of material, and the wave by each of the ways to send it
	job_of slab <<'END'
size: 0, 0, 2 um
cell: 25 nm
time: 60 fs
materials: [{name: glass, index: 2}]
bodies: [{material: glass, shape: box, size: "0, 0, 510 nm"}]
sources: [{kind: plane-wave, direction: "0, 0, 1", polarization: "1, 0, 0", frequency: 180 THz, bandwidth: 100 THz}]
monitors:
  - {name: T, kind: flux, center: "0, 0, 700 nm", frequencies: "120 THz:240 THz:13", normalize: reference}
  - {name: R, kind: flux, center: "0, 0, -960 nm", frequencies: "120 THz:240 THz:13", normalize: reflection}
  - {name: A, kind: absorption, size: "0, 0, 600 nm", frequencies: "120 THz:240 THz:3"}
END
	sed 's/index: 2/permittivity: "2, 3, 4", permeability: "1.5, 1, 1.2", conductivity: 800, magnetic-conductivity: 3e7/' "$inputs/slab.yaml" \
		>"$inputs/lossy.yaml"
	sed 's/index: 2/permittivity: 1.5, lorentz: [[1.2, 300 THz, 20 THz]], drude: [[400 THz, 30 THz]], debye: [[2, 3 fs]]/' "$inputs/slab.yaml" \
		>"$inputs/poles.yaml"
	sed 's/{name: glass, index: 2}/{name: glass, library: Au-JC}/' "$inputs/slab.yaml" >"$inputs/gold.yaml"
	sed 's/index: 2/index: 2.5/; s/time:/background: 1.25\n  courant: 0.4\n  time:/' "$inputs/slab.yaml" >"$inputs/water.yaml"
	sed 's/kind: plane-wave/kind: sheet, center: "0, 0, -800 nm", sides: forward, waveform: WAVEFORM/' "$inputs/slab.yaml" >"$inputs/sheet.yaml"
	sed 's/WAVEFORM/ricker/; s/, bandwidth: 100 THz/, delay: 2 fs/' "$inputs/sheet.yaml" >"$inputs/ricker.yaml"
	sed 's/WAVEFORM/ramped-sine/; s/bandwidth: 100 THz/cycles: 2, duration: 30 fs, phase: -60/' "$inputs/sheet.yaml" >"$inputs/sine.yaml"
	sed "s|WAVEFORM, .*\}\]|file, file: $inputs/form.txt, direction: \"0, 0, 1\", polarization: \"1, 0, 0\", amplitude: 3}]|" "$inputs/sheet.yaml" \
		>"$inputs/form.yaml"
	# two dimensions: shapes, averages and every kind of monitor
	job_of plane <<'END'
size: 600 nm, 500 nm, 0
cell: 20 nm
time: 12 fs
materials:
  - {name: m, permittivity: [2, 3, 4], conductivity: 2000}
  - {name: metal, conductor: true}
bodies:
  - {shape: cylinder, radius: 93 nm, height: 1 um, material: m, center: "-60 nm, 10 nm, 0"}
  - {shape: box, size: "120 nm, 70 nm, 0", center: "110 nm, -30 nm, 0", rotation: "0, 0, 25", material: Au-JC}
  - {shape: prism, axis: "0, 0, 1", vertices: [[0, 0], [60 nm, 0], [0, 60 nm]], center: "60 nm, 70 nm, 0", height: 1 um, material: metal}
sources: [{kind: plane-wave, direction: "1, 0.4, 0", polarization: "0, 0, 1", wavelength: 600 nm, size: "500 nm, 400 nm, 0"}]
monitors:
  - {name: c, kind: cross-section, wavelengths: "500 nm:700 nm:3"}
  - {name: p, kind: point, center: "40 nm, 0, 0", components: [Ez, Hx], every: 0.5 fs}
  - {name: f, kind: fields, size: "200 nm, 120 nm, 0", components: [Ez, Hy], frequencies: 500 THz}
  - {name: s, kind: snapshot, size: "200 nm, 120 nm, 0", every: 4 fs, start: 2 fs}
  - {name: far, kind: far-field, size: "560 nm, 460 nm, 0", wavelengths: 600 nm, phi: "0:330:12"}
  - {name: a, kind: absorption, size: "420 nm, 320 nm, 0", wavelengths: 600 nm}
END
	sed 's/polarization: "0, 0, 1"/polarization: "-0.4, 1, 0"/; s/\[Ez, H.\]/[Ex, Ey]/' "$inputs/plane.yaml" >"$inputs/across.yaml"
	sed '2a\  average: none' "$inputs/across.yaml" >"$inputs/stairs.yaml"
	sed '2a\  average: faces' "$inputs/across.yaml" >"$inputs/faces.yaml"
	# sides: phases, walls, layers of one's own
	job_of bloch <<'END'
size: 300 nm, 800 nm, 0
cell: 20 nm
time: 25 fs
boundaries:
  - {face: x, kind: bloch, phase: 40}
  - {face: y, cells: 12, order: 3, sigma: 0.8, kappa: 3, alpha: 0.05, alpha-order: 2}
bodies: [{material: glass, shape: box, size: "200 nm, 150 nm, 0"}]
materials: [{name: glass, permittivity: 4}]
sources: [{kind: sheet, center: "0, -250 nm, 0", size: "300 nm, 0, 0", direction: "0, 1, 0", polarization: "0, 0, 1", frequency: 500 THz, bandwidth: 150 THz}]
monitors:
  - {name: T, kind: flux, center: "0, 300 nm, 0", size: "300 nm, 0, 0", frequencies: "450 THz:550 THz:5", normalize: reference}
  - {name: R, kind: flux, center: "0, -180 nm, 0", size: "300 nm, 0, 0", frequencies: "450 THz:550 THz:5", normalize: reflection}
END
	job_of periodic <<'END'
size: 300 nm, 0, 1.2 um
cell: 20 nm
time: 40 fs
until: 1e-3
boundaries: [{face: x, kind: periodic}, {face: z-low, losses: 0.05}]
bodies:
  - {material: SiO2, shape: box, center: "0, 0, 400 nm", size: "1 um, 0, 600 nm", in-reference: true}
  - {material: rod, shape: ellipsoid, radii: "70 nm, 1 um, 50 nm", repeat: [2, 1, 1], pitch: "150 nm, 0, 0"}
materials: [{name: SiO2, index: 1.45}, {name: rod, index: 3.4}]
sources: [{kind: sheet, center: "0, 0, -400 nm", direction: "0, 0, 1", polarization: "0, 1, 0", wavelength: 800 nm}]
monitors:
  - {name: T, kind: flux, center: "0, 0, 300 nm", size: "300 nm, 0, 0", wavelengths: "700 nm:900 nm:3", normalize: reference}
END
	job_of resonator <<'END'
size: 600 nm, 500 nm, 400 nm
cell: 50 nm
steps: 700
boundaries: [{kind: conductor}, {face: z-high, kind: magnetic}]
sources: [{kind: dipole, center: "-110 nm, -80 nm, -30 nm", polarization: "1, 1.3, 0.7", frequency: 400 THz, bandwidth: 150 THz}]
monitors:
  - {name: modes, kind: resonances, center: "120 nm, 130 nm, 60 nm", components: Ex, frequencies: "300 THz:500 THz:2"}
  - {name: near, kind: point, center: "120 nm, 130 nm, 60 nm", components: [Ez, Hx], every: 2 fs}
END
	# three dimensions: shapes, symmetry, dipoles, a beam
	job_of bodies <<'END'
size: 400 nm, 400 nm, 400 nm
cell: 25 nm
time: 6 fs
materials: [{name: m, permittivity: [4, 3, 2], conductivity: 1000}, {name: metal, conductor: true}]
bodies:
  - {shape: sphere, radius: 83 nm, center: "-70 nm, -70 nm, -60 nm", material: m}
  - {shape: cone, radius: 70 nm, radius-top: 20 nm, height: 120 nm, axis: "1, 1, 0.3", center: "80 nm, 70 nm, -70 nm", material: Ag-JC}
  - {shape: stl, file: INPUTS/wedge.stl, scale: 0.8 nm, center: "60 nm, -60 nm, 70 nm", material: m}
  - {shape: build, file: INPUTS/frames1.xyz, scale: 10 nm, radius: 9 nm, center: "-110 nm, 50 nm, 60 nm", material: metal}
  - {shape: cylinder, radius: 22 nm, height: 140 nm, axis: "0.2, 0.5, 1", material: metal}
sources:
  - {kind: dipole, center: "10 nm, 20 nm, -150 nm", polarization: "1, 1, 0", wavelength: 600 nm, amplitude: 1e-9}
  - {kind: magnetic-dipole, center: "10 nm, 150 nm, 20 nm", polarization: "0, 1, 0", wavelength: 600 nm, waveform: ricker, amplitude: 1e-6}
monitors:
  - {name: f, kind: fields, center: "0, 0, 10 nm", size: "300 nm, 200 nm, 0", wavelengths: 600 nm}
  - {name: power, kind: source-power, source: 1, wavelengths: "550 nm:650 nm:3"}
  - {name: p, kind: point, center: "40 nm, 0, 0", components: [Ex, Hy], every: 0.3 fs}
END
	sed -i "s|INPUTS|$inputs|" "$inputs/bodies.yaml"
	sed -n '1,22p' "$inputs/frames.xyz" >"$inputs/frames1.xyz"
	job_of sphere <<'END'
size: 500 nm, 500 nm, 500 nm
cell: 25 nm
time: 8 fs
boundaries: [{face: x-low, kind: conductor}, {face: y-low, kind: magnetic}]
materials: [{name: glass, permittivity: 4}]
bodies: [{shape: sphere, radius: 110 nm, center: "-250 nm, -250 nm, 0", material: glass}]
sources: [{kind: plane-wave, direction: "0, 0, 1", polarization: "1, 0, 0", wavelength: 600 nm}]
monitors:
  - {name: c, kind: cross-section, wavelengths: "550 nm:650 nm:3"}
  - {name: far, kind: far-field, center: "-25 nm, -25 nm, 0", size: "450 nm, 450 nm, 450 nm", wavelengths: 600 nm, theta: "0:180:5", phi: "0:90:3"}
END
	job_of beam <<'END'
size: 2 um, 0, 1 um
cell: 40 nm
time: 10 fs
sources: [{kind: beam, center: "0, 0, -350 nm", size: "2 um, 0, 0", direction: "0.2, 0, 1", polarization: "0, 1, 0", waist: 500 nm, focus: "0, 0, 100 nm", wavelength: 600 nm, bandwidth: 150 THz}]
monitors:
  - {name: T, kind: flux, center: "0, 0, 300 nm", size: "800 nm, 0, 0", wavelengths: "500 nm:700 nm:3"}
  - {name: s, kind: snapshot, size: "400 nm, 0, 400 nm", every: 9 fs, components: [Ey, Hx]}
END
	# the examples at coarser cells, for which waves need larger boxes, and for shorter times
	for name in dipole_over_mirror fresnel_slab gold_nanosphere mie_sphere photonic_crystal_waveguide; do
		sed 's/size: 700 nm, 700 nm, 700 nm/size: 1 um, 1 um, 1 um/; s/size: 100 nm, 100 nm, 100 nm/size: 160 nm, 160 nm, 160 nm/' \
			"$examples/$name/job.yaml" >"$inputs/$name.yaml"
	done
}

make_commands() {
	local cell species name flight
	# commands that do not call functions of the mathematical library
	bound=$exact
	for cell in sc:Po bcc:Fe fcc:Au diamond:C rocksalt:Na,Cl zincblende:Zn,S fluorite:Ca2+,F1- perovskite:Sr,Ti,O; do
		command_of build.${cell%:*} x.xyz build --cell ${cell%:*} --species ${cell#*:} --a 4.1234 --supercell 2,1,2
	done
	command_of build.sphere x.xyz build --cell rocksalt --species Co,O --a 4.2614 --sphere 9 --center 0.25,0.1,0
	command_of build.box x.xyz build --cell zincblende --species Zn,S --a 5.41 --box 11,9,14
	bound=$double
	command_of build.hcp x.xyz build --cell hcp --species Mg --a 3.2094 --c 5.2108 --supercell 2,2,1
	command_of build.wurtzite x.xyz build --cell wurtzite --species Cd,Se --a 4.3 --u 0.377 --supercell 2,2,2
	command_of build.cylinder x.xyz build --cell bcc --species Fe --a 2.8665 --cylinder 8,9,4
	command_of build.example x.xyz build --cell fcc --species Au --a 4.0782 --cylinder 12,20,0

	local q='--q 0.5:20:40 --r 1:9:33'
	local columns='--columns q,I,I_per_atom,S,F,error_estimate,error_bound,mean_square_amplitude,square_mean_amplitude'
	command_of debye.exact x.h5 debye "$data/C60.xyz" $q --method exact
	command_of debye.exact.columns x.csv debye "$inputs/labels.xyz" $q --method exact $columns,partial_Co_O,S_Co_O
	command_of debye.histogram x.h5 debye "$data/CoO_R40.xyz.gz" --q 0.5:20:20 --r 1:9:17 --method histogram --tolerance 1e-4
	command_of debye.counts x.csv debye "$inputs/labels.xyz" $q --counts --density 0.05 --columns r,G,R,g
	command_of debye.bins x.csv debye "$data/Au_fcc_1k.xyz" $q --method histogram --bin-width 0.002
	command_of debye.reference x.csv debye "$data/C60.xyz" $q --method reference
	command_of debye.neutron x.csv debye "$inputs/isotopes.xyz" $q --radiation neutron $columns
	command_of debye.rauch x.csv debye "$inputs/isotopes.xyz" $q --radiation neutron --factors rauch2003
	command_of debye.it1992 x.csv debye "$inputs/labels.xyz" $q --factors it1992 --method exact
	command_of debye.unit x.csv debye "$data/C60.xyz" $q --factors unit
	command_of debye.window x.gr debye "$data/C60.xyz" $q --window lorch --qdamp 0.03
	command_of debye.gr x.gr debye "$data/C60.xyz" $q
	command_of debye.occupancy x.csv debye "$inputs/sites.xyz" $q --method exact
	command_of debye.slab x.csv debye "$inputs/slab.xyz" $q --cutoff 15 --method exact
	command_of debye.rod x.csv debye "$inputs/rod.xyz" $q --cutoff 15 --method histogram
	command_of debye.labels x.csv debye "$inputs/isotopes.xyz" $q --radiation neutron --labels 'H=0.7*D+0.3*H' --method exact

	local sphere='--q 0.5:9:6 --phi 5 --wavelength 0.6'
	command_of pattern x.h5 pattern "$data/CoO_R40.xyz.gz" $sphere --amplitude
	command_of pattern.anomalous x.csv pattern "$inputs/labels.xyz" $sphere --anomalous henke --displacement 0.01
	command_of pattern.occupancy x.csv pattern "$inputs/sites.xyz" $sphere --radiation neutron
	command_of pattern.detector x.h5 pattern "$data/C60.xyz" --detector 7,5 --distance 40 --pixel-size 6 --beam-center 2,2.5 --wavelength 0.7
	command_of pattern.hkl x.csv pattern "$inputs/salt.xyz" --h -2:2:9 --k 0:1:3 --l 0:0.5:2
	command_of pattern.list x.csv pattern "$data/C60.xyz" --q-list "$inputs/points.txt" --radiation electron
	command_of pattern.rotated x.h5 pattern "$data/C60.xyz" --detector 7,5 --distance 40 --pixel-size 6 --detector-rotation 10,-5,30 --wavelength 0.7 --polarization 0.9 --solid-angle relative --fluence 1e14 --beam-stop 5
	command_of pattern.radial x.csv pattern "$data/C60.xyz" $sphere --radial rings.csv
	command_of pattern.random x.csv pattern "$inputs/sites.xyz" $sphere --orientations random:9
	command_of pattern.grid x.csv pattern "$inputs/labels.xyz" $sphere --orientations uniform:32 --amplitude
	command_of pattern.fiber x.csv pattern "$inputs/labels.xyz" $sphere --orientations fiber:7 --fiber-spread 5
	command_of pattern.shots x.h5 pattern "$inputs/labels.xyz" $sphere --shots 3
	command_of pattern.laue x.csv pattern "$inputs/salt.xyz" --h -2:2:9 --k 0:1:3 --l 0:0.5:2 --laue-class mmm
	command_of pattern.labels x.csv pattern "$inputs/sites.xyz" $sphere --radiation neutron --labels Cu=0.7*63Cu+0.3*65Cu
	command_of pattern.fast x.csv pattern "$data/CoO_R40.xyz.gz" $sphere --method fast --tolerance 1e-9
	command_of pattern.fast.box x.csv pattern "$inputs/salt.xyz" --h -2:2:9 --k 0:1:3 --l 0:0.5:2 --method fast --tolerance 1e-9
	bound=$single
	command_of pattern.float32 x.csv pattern "$data/CoO_R40.xyz.gz" $sphere --precision float32
	bound=$double

	local ball="$inputs/ball.xyz"
	bound=$single
	command_of coulomb.direct x.csv coulomb $ball --spacing 7 --padding 2 --method direct --precision float32
	command_of coulomb.fast x.csv coulomb $ball --size 40,4,4 --origin -20,5,5 --spacing 1 --method fast
	command_of coulomb.mrc x.mrc coulomb $ball --spacing 7 --padding 2 --method direct
	bound=$double
	command_of coulomb.float64 x.h5 coulomb $ball --spacing 7 --padding 2 --method direct --precision float64 --quantity both
	command_of coulomb.reference x.csv coulomb $ball --spacing 9 --padding 2 --method reference --quantity both
	command_of coulomb.fast.field x.h5 coulomb $ball --size 12,12,2 --origin 0,0,5 --spacing 1.1 --method fast --tolerance 1e-9 --quantity both
	command_of coulomb.mesh x.csv coulomb $ball --points "$inputs/points.txt" --method fast --tolerance 1e-8
	command_of coulomb.points x.csv coulomb $ball --points "$inputs/points.txt" --quantity both --precision float64
	command_of coulomb.kT x.csv coulomb $ball --line 15,0,0:40,3,2:9 --units kT/e --temperature 310 --dielectric 78.4 --precision float64
	command_of coulomb.kcal x.csv coulomb $ball --plane z=15 --spacing 5 --padding 1 --units kcal/mol/e --precision float64
	command_of coulomb.e x.csv coulomb $ball --line 15,0,0:40,3,2:9 --units e/A --quantity field --precision float64
	command_of coulomb.screened x.csv coulomb $ball --line 15,0,0:40,3,2:9 --debye-length 8 --quantity both
	command_of coulomb.smeared x.csv coulomb $ball --line 0,0,0:9,3,2:9 --smearing 0.7 --quantity both
	command_of coulomb.softened x.csv coulomb $ball --line 0,0,0:9,3,2:9 --self soften --softening 0.3 --quantity both --precision float64
	command_of coulomb.steps x.csv coulomb $ball --origin 1,2,3 --size 3,3,2 --step-a 1,0.2,0 --step-b 0,1.5,0.1 --step-c 0.3,0,2 --precision float64
	command_of coulomb.excluded x.csv coulomb $ball --spacing 4 --padding 0 --exclude-within 2.2 --exclude-beyond 3.5 --region -9,-9,-9:9,9,9 --precision float64
	command_of coulomb.surface x.csv coulomb "$examples/helix_potential/helix.pdb" --charges "$examples/helix_potential/charges.txt" \
		--surface 0.1 --probe 1.4 --dielectric 4 --precision float64
	command_of coulomb.pqr x.csv coulomb "$inputs/two.pqr" --surface 0.5
	command_of coulomb.forces x.h5 coulomb "$inputs/frames1.xyz" --forces --line 9,9,9:12,12,12:3 --precision float64
	command_of coulomb.frames x.h5 coulomb "$inputs/frames.xyz" --frames all --line 9,9,9:12,12,12:5 --precision float64
	command_of coulomb.dx x.dx coulomb "$data/C60.xyz" --charges C=1 --size 4 --spacing 2 --precision float64
	command_of coulomb.cube x.cube coulomb "$data/C60.xyz" --charges C=1 --size 4 --spacing 2 --precision float64
	command_of coulomb.vtk x.vtk coulomb "$data/C60.xyz" --charges C=1 --size 4 --spacing 2 --precision float64 --quantity both
	local salt="$inputs/salt.xyz --charges Na=1,Cl=-1"
	command_of coulomb.periodic x.csv coulomb $salt --boundary periodic --points "$inputs/points.txt" --quantity both
	command_of coulomb.periodic.fast x.csv coulomb $salt --boundary periodic --spacing 0.7 --padding 0 --method fast --tolerance 1e-7 --precision float64
	command_of coulomb.periodic.forces x.h5 coulomb $salt --boundary periodic --forces --line 0,0,1:1,1,4:3
	command_of coulomb.slab x.csv coulomb $salt --boundary slab --line 0.5,0,0:0.3,0.2,9:7 --quantity both
	command_of coulomb.slab.cell x.csv coulomb $ball --boundary slab --cell 26,27,0 --points "$inputs/points.txt"

	local he='--ion He --energy 3keV -n 40 --bins 12'
	command_of ions.exponential x.h5 ions --ion He --energy 1keV -n 30 --bins 12 --target Si --trajectories 1
	command_of ions.monolayer x.h5 ions $he --target C --flight monolayer --exits 20
	command_of ions.srim x ions $he --target Si --flight srim --weakest-transfer 5 --srim x
	command_of ions.quick x.csv ions --ion B --energy 30keV -n 40 --bins 12 --target Si --cascades quick --arc-b -0.5 --arc-c 0.3 --fluence 1e14
	command_of ions.planar x.h5 ions --ion Ar --energy 500eV -n 30 --bins 5 --target Au --surface planar --electronic equipartition --surface-binding Au=3.5
	command_of ions.seed x.csv ions $he --target Si --seed 77 --step 0.8 --flight monolayer --electronic local
	command_of ions.beam x.csv ions $he --target Si --energy-spread 0.1 --angle 30 --divergence 2 --spot 20 --start-depth 10:5nm
	command_of ions.isotropic x.csv ions $he --target Si --start-depth 200 --direction isotropic --cutoff 5
	command_of ions.spectrum x.csv ions --ion He --energy "$inputs/spectrum.txt" -n 40 --bins 12 --target SiO2
	for name in kr-c moliere lenz-jensen none; do
		command_of ions.screening.$name x.csv ions --ion He --energy 2keV -n 20 --bins 8 --target C --screening $name
	done
	command_of ions.lindhard x.csv ions $he --target Si --stopping lindhard --straggling chu --ion-mass 3.5
	command_of ions.srim13 x.csv ions $he --target Si --stopping srim13 --straggling bohr
	command_of ions.dpass21 x.csv ions $he --target Si --stopping dpass21 --straggling none --stopping-factor 1.1
	command_of ions.table x.csv ions $he --target Si --stopping-table "$inputs/stopping.txt"
	command_of ions.layers x.csv ions $he --target SiO2:10nm/W:5nm/B[10]4C --displacement Si=15,O=28 --lattice O=2 --weakest-angle 1 --always-within 2
	command_of ions.bodies x.h5 ions $he --target vacuum:18nm --bodies 'Au:sphere:80@90,0,0/C:box:30,30,60@90,0,0' --cells 1,2,2
	command_of ions.voxels x.csv ions $he --target vacuum:20nm/Si --voxels "$inputs/ball.h5" --voxel-materials vacuum/Au
	command_of ions.particles x.csv ions --particles "$inputs/particles.csv" --target SiO2:1um/Si -n 12 --bins 12
	command_of ions.trim x.csv ions "$data/ions/trim_quick.in" -n 30
	command_of ions.example x.csv ions "$examples/boron_silicon/b_si.yaml" -n 20 --bins 11
	command_of ions.cells x.h5 ions --ion He --energy 1keV -n 30 --bins 4 --target C --cells 1,6,2 --width 0,400,300
	command_of ions.until x.csv ions --ion H --energy 1keV --target C -n 400 --bins 4 --until range:5%

	for name in eV/A keV/um MeV/mm keVcm2/ug MeVcm2/mg keVcm2/mg eVcm2/1e15; do
		command_of stopping.${name//\//-} x.csv stopping --ion He --target SiO2 --energies 1keV:1MeV:4 --units $name
	done
	for name in srim13 dpass21 lindhard none; do
		command_of stopping.$name x.csv stopping --ion B --target Si --energies 10keV,100keV,3MeV --stopping $name --compare zbl
	done
	for name in kr-c moliere lenz-jensen; do
		command_of stopping.$name x.csv stopping --ion Ar --target Cu --energies 10keV:1MeV:3 --screening $name --straggling chu
	done
	command_of stopping.isotope - stopping --ion 3He --target water*0.94 --energies 100keV:1MeV --straggling bohr --stopping-factor 1.2
	command_of stopping.table x.csv stopping --ion He --target Si --stopping-table "$inputs/stopping.txt" --energies 2keV,50keV --straggling none
	command_of stopping.file x.txt stopping --ion H --target Si --energies 10keV,100keV --srim x.txt

	for name in slab lossy poles gold water ricker sine form; do
		bound=$single
		command_of fdtd.$name x.csv fdtd "$inputs/$name.yaml"
	done
	for name in plane across stairs faces bloch periodic bodies sphere beam; do
		command_of fdtd.$name x.h5 fdtd "$inputs/$name.yaml"
	done
	command_of fdtd.compound x.h5 fdtd "$inputs/plane.yaml" --complex-numbers compound
	command_of fdtd.dipole_over_mirror x.csv fdtd "$inputs/dipole_over_mirror.yaml" --cell 60nm
	command_of fdtd.fresnel_slab x.csv fdtd "$inputs/fresnel_slab.yaml" --cell 50nm --time 100fs
	command_of fdtd.gold_nanosphere x.csv fdtd "$inputs/gold_nanosphere.yaml" --cell 10nm --time 8fs
	command_of fdtd.mie_sphere x.csv fdtd "$inputs/mie_sphere.yaml" --cell 50nm --time 12fs
	command_of fdtd.photonic_crystal_waveguide x.csv fdtd "$inputs/photonic_crystal_waveguide.yaml" --cell 100nm --time 100fs
	bound=$double
	for name in slab poles across bloch; do
		command_of fdtd.$name.float64 x.h5 fdtd "$inputs/$name.yaml" --precision float64
	done
	bound=1e-6 # a fit
	command_of fdtd.resonator x.csv fdtd "$inputs/resonator.yaml" --precision float64
}
