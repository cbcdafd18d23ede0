#!/usr/bin/env bash
# Build the wheel, install it alone in a fresh environment, from wheels only, and run the main job from another folder.
# usage: tools/wheel_smoke.sh PYTHON-FOR-THE-FRESH-ENVIRONMENT PYTHON-THAT-HAS-BUILD
set -euo pipefail
python=$1
builder=$2
work=$(mktemp -d)
root=$PWD
trap 'rm -rf "$work"' EXIT
"$builder" -m build --wheel --outdir "$work/verifier" verifier > "$work/build.log" 2>&1 || { cat "$work/build.log"; exit 1; }
"$builder" -m build --wheel --outdir "$work/dist" . > "$work/build.log" 2>&1 || { cat "$work/build.log"; exit 1; }
"$python" -m venv "$work/venv"
"$work/venv/bin/python" -m pip install --quiet --only-binary :all: --constraint requirements/base.lock "$work"/dist/*.whl
cd "$work"
export CODITECT_STORE="lmdb://$work/store" CODITECT_CACHE="$work/cache"
sample=$("$work/venv/bin/python" -c 'from coditect.sample import sample_folder; print(sample_folder())')
"$work/venv/bin/coditect" knowledge ingest --corpus-id smoke "$sample" > ingest.txt
"$work/venv/bin/coditect" knowledge build --corpus-id smoke > build.txt
"$work/venv/bin/coditect" knowledge query --corpus-id smoke --query "incident reporting" --tier section > query.txt
"$work/venv/bin/coditect" knowledge validate --corpus-id smoke > validate.txt
"$work/venv/bin/coditect" knowledge report --corpus-id smoke --output report.html > report.txt
grep -q "<html" report.html
# The verifier, alone in an environment of its own, checks a bundle that the wheel wrote, and refuses one without a known key.
"$work/venv/bin/coditect" keys new --name log.example.com/smoke --output "$work/log.key" > log.pub
export CODITECT_LOG_KEY="$work/log.key"
"$work/venv/bin/coditect" log checkpoint > checkpoint
"$work/venv/bin/coditect" knowledge prove --corpus-id smoke --report --output smoke.bundle > prove.txt
"$work/venv/bin/coditect" knowledge validate --corpus-id smoke --checkpoint checkpoint > validated.txt
"$python" -m venv "$work/alone"
"$work/alone/bin/python" -m pip install --quiet --only-binary :all: --constraint "$root/requirements/base.lock" "$work"/verifier/*.whl
"$work/alone/bin/coditect-verify" smoke.bundle --key log.pub > verified.txt
if "$work/alone/bin/coditect-verify" smoke.bundle > /dev/null 2>&1; then echo "a bundle was verified without a key"; exit 1; fi
echo "wheel smoke test: ok ($(basename dist/*.whl))"
