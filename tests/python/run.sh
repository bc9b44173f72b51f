#!/usr/bin/env bash
# Installs the wheel into a fresh environment, as pip does it without a network, and runs the tests there.
#     tests/python/run.sh PYTHON WHEEL_FOLDER FOLDER [ARGUMENTS OF PYTEST]
set -eu
python=$1 wheels=$(cd "$2" && pwd) folder=$(realpath -m "$3")
shift 3
here=$(cd "$(dirname "$0")" && pwd)
size=$(stat -L -c %s "$wheels"/sonde-*.whl)
if ((size > 15000000)); then
	echo "the wheel has $size bytes, more than 15 MB" >&2
	exit 1
fi
rm -rf "$folder"
"$python" -m venv --system-site-packages "$folder"
"$folder/bin/pip" install --quiet --no-deps --no-index --disable-pip-version-check "$wheels"/sonde-*.whl
cd "$folder"
# away from the sources, and without settings of the user
unset PYTHONPATH SONDE_DATA SONDE_LIBRARY LD_LIBRARY_PATH
"$folder/bin/python" -c "import sonde; print('sonde', sonde.__version__, 'from', sonde.__file__)"
export SONDE_FAKES=$wheels/../tests/fakes # drivers of devices, for tests without a GPU
SONDE_SOURCES=$here/../.. exec "$folder/bin/python" -m pytest -q -p no:cacheprovider "$here" "$@"
