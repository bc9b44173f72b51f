# Help, manual pages, completion, version, unknown commands.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
source_folder=$here/../../src

commands=(build debye pattern coulomb stopping ions fdtd campaign match library refine report convert info devices help)
declare -A options=(
	[build]='cell species a c u sphere box cylinder supercell center ellipsoid cone hexagonal-prism octahedron cuboctahedron truncated-octahedron tetrahedron rhombic-dodecahedron truncated-cube wulff wulff-radius stl stl-scale icosahedron decahedron supercell-matrix hollow core core-size orient nanotube torus graphene fullerene packing bond double-bond form length cells periodic edge layers stacking spacing density number-density distance tries substitute vacancies displace strain relax fault seed cell-file copies copy-spacing copy-density copy-orientations copy-file basis cell-edges space-group size-distribution bodies caps structures compact sample input-format output output-format force threads host-memory quiet json'
	[debye]='q radiation method precision factors tolerance bin-width r window qdamp boundary columns counts density copies copy-atoms anomalous energy wavelength form-factors displacement polarization lorentz bhatia-thornton two-theta cutoff damping frames topology error-blocks resume q-list file-axis compare background resolution doublet solvent-density excluded-volume concentration compton compare-range delta1 delta2 qbroad partials laue labels placements checkpoint sample frame input-format output output-format plot plot-axes force device threads memory host-memory kernel-cache launch-limit plan quiet json'
	[pattern]='q phi wavelength energy q-list radiation factors anomalous form-factors displacement precision amplitude h k l u v w detector distance pixel-size beam-center method tolerance detector-rotation normal-incidence pixel-height detector-orientation poni write-poni solid-angle polarization polarization-angle beam-stop mask mask-dataset fluence noise-seed radial radial-bins orientation orientations orientation-seed fiber-axis fiber-direction fiber-spread copies copy-atoms frames topology error-blocks shots resume labels laue-class partials placements checkpoint sample frame input-format output output-format plot force device threads memory host-memory kernel-cache launch-limit plan quiet json'
	[coulomb]='charges quantity units temperature dielectric debye-length smearing forces boundary cell method precision tolerance self softening spacing padding origin size step-a step-b step-c plane line points surface probe exclude-within exclude-beyond region frames resume checkpoint sample frame input-format output output-format plot force device threads memory host-memory kernel-cache launch-limit plan quiet json'
	[ions]='ion ion-mass energy energy-spread angle divergence spot start-depth direction particles number seed target bodies voxels voxel-materials displacement lattice surface-binding cutoff screening stopping stopping-table stopping-factor straggling electronic flight step weakest-transfer weakest-angle always-within cascades surface arc-b arc-c bins depth cells width fluence until trajectories exits resume srim sample-center checkpoint sample input-format output output-format plot plot-axes force device threads memory host-memory kernel-cache launch-limit plan quiet json'
	[fdtd]='size cell courant time steps until precision background average reference resume checkpoint complex-numbers frames vtk error sample-center streaming width height store sample input-format output output-format plot plot-axes force device threads memory host-memory kernel-cache launch-limit plan quiet json'
	[stopping]='ion ion-mass target energies screening stopping compare stopping-table stopping-factor straggling units srim input-format output output-format force threads plan quiet json'
	[campaign]='join at-once lease most-jobs output plot plot-axes force device threads memory host-memory kernel-cache launch-limit plan quiet json'
	[report]='output force threads host-memory quiet json'
	[match]='with curve axis wavelength range weights background resolution qdamp terms most passes ranking sparsity penalty bootstrap seed peak refine refined shared strain-limit b-limit qbroad-limit sizes qmax bootstrap-all output plot plot-axes force device threads memory host-memory kernel-cache launch-limit quiet json'
	[library]='output force device threads memory host-memory kernel-cache launch-limit plan quiet json'
	[refine]='structure steps convergence derivatives resume peak output plot plot-axes force device threads memory host-memory kernel-cache launch-limit plan quiet json'
	[convert]='input-format output-format force quiet json'
	[info]='frame input-format plot force json' [devices]='device threads kernel-cache tune json' [help]='')

# The names in a table of options, with '-' for '_'.
names_in() { # FILE
	local line
	while IFS= read -r line; do
		[[ $line =~ ^OPTION\([A-Z]+,\ ([a-z0-9_]+), ]] && printf '%s ' "${BASH_REMATCH[1]//_/-}"
	done <"$1"
}
check "debye's table is the one known here" [ "$(names_in "$source_folder/debye/options.def")" = \
	"${options[debye]%% sample*} " ]
check "pattern's table is the one known here" [ "$(names_in "$source_folder/pattern/options.def")" = \
	"${options[pattern]%% sample*} " ]
check "coulomb's table is the one known here" [ "$(names_in "$source_folder/coulomb/options.def")" = \
	"${options[coulomb]%% sample*} " ]
check "ions' table is the one known here" [ "$(names_in "$source_folder/ions/options.def")" = \
	"${options[ions]%% sample input*} " ]
check "fdtd's table is the one known here" [ "$(names_in "$source_folder/fdtd/options.def")" = \
	"${options[fdtd]%% sample input*} " ]
check "stopping's table is the one known here" [ "$(names_in "$source_folder/stopping/options.def")" = \
	"${options[stopping]%% input-format*} " ]
check "build's table is the one known here" [ "$(names_in "$source_folder/matter/build/build_options.def")" = \
	"${options[build]%% sample input*} " ]

check "campaign's table is the one known here" [ "$(names_in "$source_folder/campaign/options.def")" = \
	"${options[campaign]%% output*} " ]
check "match's table is the one known here" [ "$(names_in "$source_folder/match/options.def")" = \
	"${options[match]%% output*} " ]
check "refine's table is the one known here" [ "$(names_in "$source_folder/refine/options.def")" = \
	"${options[refine]%% output*} " ]

longest_line() { # FILE
	local line longest=0
	while IFS= read -r line; do
		((${#line} > longest)) && longest=${#line}
	done <"$1"
	printf '%d' $longest
}

for command in "${commands[@]}"; do
	ok "$command --help" sonde "$command" --help
	cp "$out" "$inputs/$command.help"
	if [[ $command != help ]]; then
		check "$command --help begins with its name" has_line "$out" "^sonde $command: .+"
		check "$command --help has a usage line" has_line "$out" "^usage: sonde $command"
		check "$command --help has examples" has_line "$out" "^  sonde $command( |$)"
		check "$command --help mentions --help" has_line "$out" '^  --help$'
		check "$command --help fits a terminal" [ "$(longest_line "$out")" -le 132 ]
		ok "$command -h" sonde "$command" -h
		check "$command -h is --help" same_files "$out" "$inputs/$command.help"
		ok "help $command" sonde help "$command"
		check "help $command is $command --help" same_files "$out" "$inputs/$command.help"
	fi
	for option in ${options[$command]}; do
		check "$command --help: $option" has_line "$inputs/$command.help" "^  (-[a-z], )?--$option( [A-Z:,]+)?$"
	done

	ok "help --man $command" sonde help --man "$command"
	check "manual of $command: first line" has_line "$out" "^\.TH SONDE\\\\-$command 1 "
	for section in NAME SYNOPSIS DESCRIPTION OPTIONS EXAMPLES 'EXIT STATUS'; do
		check "manual of $command: $section" has_line "$out" "^\.SH $section$"
	done
	for option in ${options[$command]}; do
		check "manual of $command: $option" has_line "$out" "^\.B (\\\\-[a-z], )?\\\\-\\\\-${option//-/\\\\-}( |$)"
	done
	# an unknown macro would swallow its line
	check "manual of $command: known macros only" [ -z "$(
		while IFS= read -r line; do
			[[ $line == [.\']* && ! $line =~ ^\.(TH|SH|TP|B|nf|fi)( |$) ]] && printf '%s\n' "$line"
		done <"$out"
	)" ]
	if type groff >/dev/null 2>&1; then
		check "manual of $command: groff is content" [ -z "$(groff -man -Tascii -ww "$out" 2>&1 >/dev/null)" ]
	fi
done

ok "help" sonde help
cp "$out" "$inputs/help"
for command in "${commands[@]}"; do
	check "help lists $command" has_line "$out" "^  $command +[a-z]"
done
check "help tells the exit codes" contains "$out" 'Exit codes: 0 success, 2 invalid input, 3 device or resource, 130 interrupted, 75 ended'
for way in --help -h 'help --help' 'help -h' 'help --man'; do
	ok "sonde $way" sonde $way
	check "sonde $way is help" same_files "$out" "$inputs/help"
done

# the lists of jobs
check "fdtd --help begins with a job" [ "$(sed -n 5p "$inputs/fdtd.help")" = 'A job:' ]
for list in boundaries materials bodies sources monitors; do
	ok "help fdtd $list" sonde help fdtd $list
	check "help fdtd $list: its keys" has_line "$out" '^  (kind|name|material): '
done
check "help fdtd sources: polarization" has_line <(sonde help fdtd sources) '^  polarization: X,Y,Z$'
fails 2 "no list 'source', did you mean 'sources'" sonde help fdtd source
fails 2 "no list 'q'" sonde help debye q

ok "--version" sonde --version
version=$(<"$out")
check "--version: the first line is the number" has_line <(head -n 1 "$out") '^sonde [0-9]+\.[0-9]+\.[0-9]+$'
for line in 'commit +([0-9a-f]{40}|unknown)' 'compiler +(gcc|clang) [0-9]+\..*' 'HDF5 +[0-9]+\.[0-9]+\.[0-9]+' \
	'instructions +[a-z0-9, ]+; [a-z0-9]+ here' 'OpenMP +not used.*'; do
	check "--version: $line" has_line "$out" "^$line$"
done
for command in "${commands[@]}"; do
	ok "$command --version" sonde "$command" --version
	check "$command --version is sonde --version" [ "$(<"$out")" = "$version" ]
done
ok "--version behind other options" sonde debye nowhere.xyz --q 1:2:3 --version
check "--version behind other options" [ "$(<"$out")" = "$version" ]
SONDE_ISA=sse2 sonde --version >"$out"
check "--version: the instruction set in use" has_line "$out" '^instructions .*; (sse2|none) here$'
for way in '--version --json' 'fdtd --json --version' 'help --version --json'; do
	ok "$way" sonde $way
	check "$way: JSON" is_json "$(<"$out")"
	check "$way: members" has_line "$out" '"version": "[0-9.]+", "commit": .*"compiler_version": ".+", "hdf5": "[0-9.]+", "instruction_sets": \['
done

ok "devices" sonde devices
check "devices: the CPU is chosen" has_line "$out" '^\* cpu '
check "devices: threads and instruction set" has_line "$out" '[0-9]+ threads, kernels for [a-z0-9]+, [0-9.]+ GB'
check "devices: what the CPU does" has_line "$out" 'measured: [0-9.]+ GFLOP/s float64, [0-9.]+ [GT]FLOP/s float32, [0-9.]+ GB/s memory'
check "devices: what the CPU could do" has_line "$out" 'theoretical: [0-9.]+ [GT]FLOP/s float64, [0-9.]+ [GT]FLOP/s float32, memory not known'
ok "devices --json" sonde devices --json
while IFS= read -r line; do
	check "devices --json: $line" is_json "$line"
done <"$out"
check "devices --json: the CPU's speed" has_line "$out" '"device": "cpu".*"measured_f64": [1-9]'
check "devices --json: no link to itself" has_line "$out" '"device": "cpu".*"measured_to_device": 0, "measured_to_host": 0, "measured_both_ways": 0\}'
ok "devices --threads 1" sonde devices --threads 1
check "devices --threads 1" has_line "$out" ' 1 threads?, '
with_isa() { SONDE_ISA=$1 sonde devices; }
fails 2 'SONDE_ISA=vax: choose one of ' with_isa vax
fails 2 "'file': this command takes no file" sonde devices file
fails 2 "unknown device 'gpus'" sonde devices --device gpus

# without a command: the help on stdout, and the error
sonde >"$out" 2>"$err"
check "no command: exit code" [ $? -eq 2 ]
check "no command: help" same_files "$out" "$inputs/help"
check "no command: error" one_line '^sonde: no command is given$'

fails 2 "^sonde: unknown command 'deybe', did you mean 'debye'\?$" sonde deybe
fails 2 "^sonde: unknown command 'Info', did you mean 'info'\?$" sonde Info x.h5
fails 2 "^sonde: unknown command 'frobnicate'$" sonde frobnicate
fails 2 "^sonde: unknown command '--verbose'" sonde --verbose
fails 2 "^sonde: unknown command ''" sonde ''
fails 2 "unknown command 'bild', did you mean 'build'\?$" sonde help bild
fails 2 "unknown command 'bild', did you mean 'build'\?$" sonde help --man bild
fails 2 "no list 'debye'" sonde help build debye
fails 2 "unexpected argument 'q'" sonde help fdtd sources q
fails 2 "unknown command '.*'" sonde "$(printf 'a\nb\033[31m')"
check "control characters do not reach the terminal" lacks "$err" $'\033'
finish
