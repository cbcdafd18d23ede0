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
# The server and the assistants' door, from the wheel with its extras: page, API and protocol answer, files of the pages included.
"$work/venv/bin/python" -m pip install --quiet --only-binary :all: --constraint "$root/requirements/dev.lock" "$(echo dist/*.whl)[server,mcp]"
"$work/venv/bin/coditect" tokens new --name smoke --role reader > token 2> token.txt
"$work/venv/bin/coditect" serve --port 0 --work "$work/work" > served.txt 2>&1 &
server=$!
trap 'kill "$server" 2> /dev/null || true; rm -rf "$work"' EXIT
"$work/venv/bin/python" - <<'PYTHON'
import json, pathlib, re, time, urllib.request

for _ in range(300):
    found = re.search(r"http://127\.0\.0\.1:\d+", pathlib.Path("served.txt").read_text())
    if found:
        break
    time.sleep(0.1)
assert found, pathlib.Path("served.txt").read_text()

def asked(path):
    request = urllib.request.Request(found[0] + path, headers={"Authorization": f"Bearer {pathlib.Path('token').read_text().strip()}"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        return answer.read().decode()

assert asked("/readyz") == "ready\n"
assert json.loads(asked("/api/v1/corpora/smoke/query?query=incident+reporting&tier=section"))["hits"]
page = asked("/explorer/")
style = re.search(r'href="([^"]+\.css[^"]*)"', page)
assert style, page[:500]
assert asked(style[1])
PYTHON
kill "$server"
printf '%s\n' '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"smoke","version":"1"}}}' \
  | "$work/venv/bin/coditect" mcp > initialized.txt
grep -q '"serverInfo"' initialized.txt
echo "wheel smoke test: ok ($(basename dist/*.whl))"
