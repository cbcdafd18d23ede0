#!/usr/bin/env bash
# The main job on the sample corpus, on the embedded store, with no model and no network. Everything lands in build/demo.
set -euo pipefail
cd "$(dirname "$0")/.."
out=build/demo
rm -rf "$out"
mkdir -p "$out"
export CODITECT_STORE="lmdb://$PWD/$out/store" CODITECT_CACHE="$PWD/$out/cache"
sample=coditect/sample/corpus

say() { printf '\n\033[1m%s\033[0m\n' "$1"; }
show() { printf '\033[2m$ coditect %s\033[0m\n' "$(printf '%q ' "$@")"; coditect "$@"; }

say "1. Sixteen documents of an invented company go in: Markdown, HTML, DOCX, PDF, XLSX, CSV, text"
show knowledge ingest --corpus-id verrowen --name "Verrowen Health Payments" "$sample"

say "2. Four tiers come out: verbatim extractions, extractive chunk summaries, ratio-checked sections, a validated summary"
show knowledge build --corpus-id verrowen --extraction-method textrank --max-synthesis-ratio 0.2 --today 2026-09-30

say "3. An executive asks: where do our documents disagree?"
show knowledge query --corpus-id verrowen --query "contradictions between documents" --tier corpus --limit 6

say "   … and what is missing?"
show knowledge query --corpus-id verrowen --query "gaps" --tier corpus --limit 6

say "   … and what do rules only suspect? It is not published; a person reads and decides"
show knowledge list --corpus-id verrowen --kind possible --severity high

say "4. An analyst asks: what do we say about notifying a breach?"
show knowledge query --corpus-id verrowen --query "notify personal data breach" --tier section --limit 2

say "5. An auditor asks: what exactly does it say, and where?"
show knowledge query --corpus-id verrowen --query "notify the Controller of a Personal Data Breach" --tier extraction --limit 3

say "6. From a claim down to the characters of a file"
claim=$(coditect knowledge query --corpus-id verrowen --query "contradiction: how long are audit logs kept" --tier corpus --format json \
  | python -c 'import json, sys; print(next(h["item"]["item_id"] for h in json.load(sys.stdin)["hits"] if h["item"]["kind"] == "conflict"))')
show knowledge drilldown --item-id "$claim" --chain

say "7. Is all of it still true? Every record, offset, quote, citation, ratio and figure is checked again"
show knowledge validate --corpus-id verrowen --check-citations --check-synthesis-ratios

say "8. Something for the regulator"
show knowledge report --corpus-id verrowen --validate --output "$out/report.html"
show knowledge report --corpus-id verrowen --output "$out/report.json"
printf '\nOpen %s in a browser. The store stays in %s; remove the folder to begin again.\n' "$out/report.html" "$out/store"
