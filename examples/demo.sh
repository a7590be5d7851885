#!/bin/sh
# What `make demo` shows: good and broken documents, and a small Harbor job. Every command can be typed as it stands.
set -u
cd "$(dirname "$0")/.."
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

show() {
  printf '\n\033[1m$ attraj %s\033[0m\n' "$*" | if [ -t 1 ]; then cat; else sed 's/\x1b\[[0-9;]*m//g'; fi
  attraj "$@"
  code=$?
  [ $code -eq 0 ] || echo "(exit code $code)"
}

echo "1. A Bundle and a trajectory as they should be."
show validate examples/bundle.json examples/trajectory.json

echo
echo "2. The same, with faults that no viewer shows: each has a code, a place, a reason and a way out."
show validate examples/bundle-broken.json examples/trajectory-broken.json

echo
echo "3. A whole Harbor job: every trial is accounted for, one broken file hides nothing."
show validate examples/harbor-job

echo
echo "4. What a code means."
show explain ATIF013

echo
echo "5. The same facts in another format, with a name for everything that the format cannot hold."
show convert examples/trajectory.json --to react-web -o "$out/replay.json" --verify
show diff examples/trajectory.json "$out/replay.json" --summary

echo
echo "6. Back again is exact."
show convert examples/trajectory.json --to bundle -o "$out/run.bundle.json" -q
show convert "$out/run.bundle.json" --to atif -o "$out/again.json" -q
show diff examples/trajectory.json "$out/again.json"

echo
echo "The exit code is what CI needs: 0 yes, 1 findings, 2 unreadable, 3 rejected. attraj --help has the rest."
