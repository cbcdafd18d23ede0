(function () {
  "use strict";
  var held = document.getElementById("proof-data");
  var list = document.getElementById("proof-steps");
  var verdict = document.getElementById("proof-verdict");
  var field = document.getElementById("proof-key");
  if (!held || !list) { return; }
  var proof = JSON.parse(held.textContent);
  var encoder = new TextEncoder();
  var subtle = window.crypto && window.crypto.subtle;

  function bytes(base64) { return Uint8Array.from(atob(base64), function (each) { return each.charCodeAt(0); }); }
  function hex(data) { return Array.from(data, function (each) { return each.toString(16).padStart(2, "0"); }).join(""); }
  function joined(parts) {
    var out = [];
    parts.forEach(function (part) { out = out.concat(Array.from(part)); });
    return Uint8Array.from(out);
  }
  async function sha256(data) {
    return new Uint8Array(await subtle.digest("SHA-256", typeof data === "string" ? encoder.encode(data) : data));
  }
  function require(holds, message) { if (!holds) { throw new Error(message); } }
  function elements(selector) { return Array.from(document.querySelectorAll(selector)); }

  var steps = [
    ["Every record in this page is what its id is the hash of", async function () {
      for (var id of Object.keys(proof.records)) {
        var found = hex(await sha256(proof.records[id])).slice(0, 40);
        require(id.endsWith(found), id + " is not the hash of its record");
      }
      return Object.keys(proof.records).length + " records";
    }],
    ["What is shown is what the records say", async function () {
      var build = JSON.parse(proof.generation).build_id;
      var manifest = JSON.parse(proof.records[build]);
      var summary = JSON.parse(proof.records[manifest.summary_id]);
      var named = manifest.sections.map(function (each) { return each[1]; });
      var quotes = {};
      named.forEach(function (id) {
        JSON.parse(proof.records[id]).content.forEach(function (part) {
          var at = part.citation;
          if (at) { quotes[[at.document_id, at.char_start, at.char_end]] = part.content; }
        });
      });
      var shown = elements(".quote p[data-document], .source mark[data-document]");
      shown.forEach(function (each) {
        var at = [each.dataset.document, each.dataset.start, each.dataset.end];
        require(quotes[at] === each.textContent, "a quote is shown that no section holds: " + each.textContent.slice(0, 80));
      });
      var claims = elements("[data-claim]");
      claims.forEach(function (each) {
        var record = proof.records[each.dataset.claim];
        var line = each.querySelector(".claim-text");
        var text = line.textContent.slice(line.querySelector(".label").textContent.length).trim();
        require(record && JSON.parse(record).text.trim() === text, "a claim is shown that no record holds: " + text.slice(0, 80));
      });
      var published = claims.filter(function (each) { return !each.classList.contains("refused") && !each.classList.contains("possible"); });
      var told = published.map(function (each) { return each.dataset.claim; }).sort();
      require(told.join() === summary.claims.slice().sort().join(), "the claims that are shown are not those of the summary");
      require(elements("[data-section]").map(function (each) { return each.dataset.section; }).join() === named.join(),
        "the sections that are shown are not those of the generation");
      return claims.length + " claims, " + named.length + " sections, " + shown.length + " places of quotes";
    }],
    ["The generation is in the log", async function () {
      require(proof.entry && proof.log_proof, "no signed checkpoint of the log holds it: nothing is proven");
      var entry = JSON.parse(proof.entry);
      require(entry.sha256 === hex(await sha256(proof.generation)), "the log tells of another record of the generation");
      require(entry.subject === JSON.parse(proof.generation).build_id, "the log tells of another build");
      var parts = proof.log_proof.split("\n\n");
      var lines = parts[0].split("\n");
      var checkpoint = parts[1].split("\n");
      var index = Number(lines[1].split(" ")[1]);
      var last = Number(checkpoint[1]) - 1;
      var hash = await sha256(joined([[0], encoder.encode(proof.entry)]));
      var at = index;
      require(lines[0] === "c2sp.org/tlog-proof@v1" && index <= last, "the proof is none");
      for (var line of lines.slice(2)) {  // RFC 9162, 2.1.3.2; indexes are below 2**53
        var other = bytes(line);
        require(last > 0 && other.length === 32, "the proof is longer than the tree is high");
        if (at % 2 === 1 || at === last) {
          hash = await sha256(joined([[1], other, hash]));
          while (at > 0 && at % 2 === 0) { at = at / 2; last = Math.floor(last / 2); }
        } else {
          hash = await sha256(joined([[1], hash, other]));
        }
        at = Math.floor(at / 2);
        last = Math.floor(last / 2);
      }
      require(last === 0 && hex(hash) === hex(bytes(checkpoint[2])), "the proof does not lead to the checkpoint's root");
      return "entry " + index + " of " + checkpoint[1] + ", " + checkpoint[0];
    }],
    ["The checkpoint is signed by the key below", async function () {
      require(proof.log_proof, "there is none");
      var key = field.value.trim().split("+");
      require(key.length >= 3, "unchecked: give the log's key, name+id+key");
      var raw = bytes(key.slice(2).join("+"));
      var note = proof.log_proof.slice(proof.log_proof.indexOf("\n\n") + 2);
      var end = note.indexOf("\n\n") + 1;
      require(raw[0] === 1 && raw.length === 33 && note.split("\n")[0] === key[0], "this is no key of that log");
      var id = (await sha256(joined([encoder.encode(key[0] + "\n"), raw]))).slice(0, 4);
      var line = note.slice(end + 1).split("\n").map(function (each) { return each.split(" "); }).find(function (each) {
        return each[1] === key[0] && hex(bytes(each[2]).slice(0, 4)) === hex(id);
      });
      require(line, "this key did not sign it");
      var imported;
      try {
        imported = await subtle.importKey("raw", raw.slice(1), { name: "Ed25519" }, false, ["verify"]);
      } catch (error) {
        throw new Error("unchecked: this browser cannot check Ed25519; use coditect-verify");
      }
      var signature = bytes(line[2]).slice(4);
      require(await subtle.verify({ name: "Ed25519" }, imported, signature, encoder.encode(note.slice(0, end))),
        "the signature does not verify");
      return "Ed25519; compare the key with the one that you were given elsewhere";
    }],
  ];

  async function run() {
    var outcomes = [];
    var lines = [];
    for (var step of steps) {
      var outcome = "holds", detail;
      try {
        require(subtle, "unchecked: a browser checks hashes only in files and over HTTPS");
        detail = await step[1]();
      } catch (error) {
        detail = error.message;
        outcome = detail.indexOf("unchecked: ") === 0 ? "unchecked" : "wrong";
      }
      var item = document.createElement("li");
      item.className = outcome === "holds" ? "passed" : "failed";
      item.dataset.outcome = outcome;
      item.textContent = step[0] + ": " + (outcome === "unchecked" ? detail : outcome + "; " + detail);
      lines.push(item);
      outcomes.push(outcome);
    }
    list.replaceChildren.apply(list, lines);
    var wrong = outcomes.indexOf("wrong") >= 0;
    verdict.dataset.outcome = wrong ? "wrong" : outcomes.indexOf("unchecked") >= 0 ? "unchecked" : "holds";
    verdict.textContent = wrong ? "Not proven: see below what is wrong." :
      verdict.dataset.outcome === "unchecked" ? "What could be checked holds." : "Everything below holds, checked here by your browser.";
  }
  field.addEventListener("change", run);
  run();
})();
