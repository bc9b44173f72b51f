#!/bin/sh
# The commands of the pages that newcomers read first: each block ```sh of docs/start.md, docs/howto.md, and docs/tutorials is run, in a
# folder of its own for each page, with the ```yaml and ```csv blocks in the files that the text before them names.
#     test_pages.sh SONDE
set -eu
sonde=$(realpath "$1")
source=$(realpath "$(dirname "$0")/../..")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/bin"
ln -s "$sonde" "$folder/bin/sonde"
PATH=$folder/bin:$PATH
for path in "$source"/docs/start.md "$source"/docs/howto.md "$source"/docs/tutorials/*.md; do
	page=$(basename "$path" .md) least=2
	case $path in */tutorials/*) ;; *) least=9 ;; esac
	mkdir "$folder/$page"
	cd "$folder/$page"
	awk '
	/^```(yaml|csv)$/ { in_file = 1; next }
	/^```sh$/ { in_commands = 1; next }
	/^```/ { in_file = in_commands = 0; next }
	in_file { print > file }
	in_commands { print > "commands" }
	!in_file && !in_commands && match($0, /`[a-z_]+\.(yaml|csv)`/) { file = substr($0, RSTART + 1, RLENGTH - 2) }
	' "$path"
	[ "$(grep -c '^sonde ' commands)" -ge $least ] || { echo "$page.md: fewer than $least commands were found"; exit 1; }
	while IFS= read -r command; do
		eval "$command" >output 2>&1 </dev/null || { echo "$page.md: $command"; cat output; exit 1; }
		# a command with an output leaves it
		for file in $(printf '%s\n' "$command" | sed -nE 's/.* -o ([^ ]+).*/\1/p') $(printf '%s\n' "$command" | sed -nE 's/.*--plot ([^ ]+).*/\1/p'); do
			[ -s "$file" ] || { echo "$page.md: $command: $file is not there"; exit 1; }
		done
	done <commands
	[ "$page" != howto ] || [ -s au_job.h5 ] || { echo "$page.md: job.yaml has written nothing"; exit 1; }
done
[ -z "${KEEP:-}" ] || cp -r "$folder" "$KEEP"
echo "all commands of the pages ran"
