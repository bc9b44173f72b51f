# Completion for bash, zsh and fish: commands, options, their values, files.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

commands=(build debye pattern coulomb stopping ions fdtd campaign match library refine report convert info devices help)
ok "completion" sonde help --completion
cp "$out" "$inputs/completion"
check "completion: bash can read it" bash -n "$inputs/completion"
ok "completion bash" sonde help --completion bash
check "bash is the usual one" same_files "$out" "$inputs/completion"
fails 2 "completion: 'tcsh' is not one of bash, zsh and fish" sonde help --completion tcsh

complete_words() { # WORDS... : what bash would offer for the last of them
	bash -c '. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _sonde; echo "${COMPREPLY[*]}"' - \
		"$inputs/completion" "$@"
}
offers() { # NAME WANTED WORDS...
	local name=$1 wanted=$2 got
	shift 2
	got=$(complete_words sonde "$@")
	if [[ $got == "$wanted" ]]; then
		pass
	else
		fail "completion of $name" "'$got' instead of '$wanted'"
	fi
}
offers "commands" "${commands[*]}" ''
offers "a command" debye deb
offers "options of the program" '--help --version' -
offers "an option" --bin-width debye --bin
# all options of the help text, and none else
for command in "${commands[@]}"; do
	sonde "$command" --help >"$inputs/help"
	wanted=$(while IFS= read -r line; do
		[[ $line =~ ^\ \ (-[a-z],\ )?(--[a-z0-9-]+)( |$) ]] && printf '%s\n' "${BASH_REMATCH[2]}"
	done <"$inputs/help" | sort)
	[[ $command == help ]] || check "options of $command" [ "$(complete_words sonde "$command" - | tr ' ' '\n' | sort)" = "$wanted" ]
done

# values
offers "a choice" 'exact' debye a.xyz --method ex
offers "choices" 'xray neutron electron' debye --radiation ''
offers "a choice behind =" 'exact' debye --method = ex
offers "choices behind =" 'xray neutron electron' debye --radiation =
offers "devices" 'auto gpu all cuda:0 opencl:0 cpu' fdtd job.yaml --device ''
offers "formats of an output" 'xyz xyz.gz extxyz extxyz.gz pdb pdb.gz cif cif.gz lmp lmp.gz data data.gz vasp vasp.gz h5 hdf5 nxs' build --output-format ''
offers "formats of an input" 'pqr pdb poscar' info --input-format p
offers "topics of help" 'materials match' help mat
offers "commands as topics" 'coulomb convert' help co
offers "shells" 'bash zsh fish' help --completion ''
offers "numbers have no words" '' debye --tolerance ''
# files, by what the command reads and the option writes
mkdir folder
touch a.xyz b.pdb c.yaml d.h5 e.png f.stl
offers "samples and jobs" 'folder a.xyz b.pdb d.h5 c.yaml' debye ''
offers "jobs" 'folder c.yaml' fdtd ''
offers "volumes" 'folder d.h5' convert ''
offers "pictures" 'folder e.png' debye --plot ''
offers "results" 'folder d.h5' debye --output ''
offers "results, in short" 'folder d.h5' debye -o ''
offers "folders" 'folder' fdtd --frames ''
offers "any file is bash's" '' coulomb --points ''

# zsh and fish
for shell in zsh fish; do
	ok "completion $shell" sonde help --completion "$shell"
	cp "$out" "$inputs/completion.$shell"
	for command in "${commands[@]}"; do
		check "$shell: $command" has_line "$out" "[ '(\"]$command[: ]"
	done
	check "$shell: values" contains "$out" 'xray neutron electron'
	check "$shell: devices" has_line "$out" 'auto gpu all cuda'
	if type "$shell" >/dev/null 2>&1; then
		check "$shell can read it" "$shell" -n "$inputs/completion.$shell"
	else
		skip "$shell" "is not here"
	fi
done
if type fish >/dev/null 2>&1; then
	in_fish() { HOME=$inputs fish --no-config -c "source $inputs/completion.fish; complete -C '$1'" 2>/dev/null | cut -f 1 | sort | tr '\n' ' '; }
	check "fish: a choice" [ "$(in_fish 'sonde debye --radiation ')" = 'electron neutron xray ' ]
	check "fish: an option" [ "$(in_fish 'sonde debye --bin')" = '--bin-width ' ]
	check "fish: a command" [ "$(in_fish 'sonde stop')" = 'stopping ' ]
	check "fish: shells" [ "$(in_fish 'sonde help --completion ')" = 'bash fish zsh ' ]
fi
if type zsh >/dev/null 2>&1; then
	# _arguments and its like answer in a terminal only: what they are asked is what counts
	in_zsh() { # WORDS...: the specifications for a command line
		zsh -f -c 'compdef() { :; }; _arguments() { print -rl -- "$@"; }; _describe() { print -rl -- $commands; }
			. "$1"; shift; words=("$@"); CURRENT=$#; _sonde' - "$inputs/completion.zsh" "$@"
	}
	check "zsh: commands" [ "$(in_zsh sonde '' | grep -c '^[a-z]*:')" = ${#commands[@]} ]
	check "zsh: a choice" [ "$(in_zsh sonde debye '' | grep -c '^\*--radiation=\[.*\]:radiation:(xray neutron electron)$')" = 1 ]
	check "zsh: a file" [ "$(in_zsh sonde fdtd '' | grep -cF '*:file:_files -g "*(.yaml|.yml)"')" = 1 ]
fi
finish
