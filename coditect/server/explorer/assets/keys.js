// Keys for who likes them; every page works without this file.
// A page that waits for long work comes again by itself without it, too.
// "/" goes to the search box, j and k walk over lines, n and p turn pages, and in the review queue a letter picks a decision.
"use strict";
(() => {
  const STORED = "coditect-keys-off";
  const stored = () => { try { return localStorage.getItem(STORED) === "yes"; } catch { return false; } };
  let off = stored();

  const typing = (element) => {
    if (!element) return false;
    if (element.isContentEditable || element.tagName === "TEXTAREA" || element.tagName === "SELECT") return true;
    return element.tagName === "INPUT" && !["radio", "checkbox", "submit", "button"].includes(element.type);
  };

  const rows = () => [...document.querySelectorAll("[data-row]")].filter((row) => row.querySelector("[data-open]") && row.offsetParent !== null || row.tagName === "TR");

  const walk = (step) => {
    const all = rows();
    if (!all.length) return;
    const at = all.findIndex((row) => row.classList.contains("is-at") || row.contains(document.activeElement));
    const next = all[Math.min(all.length - 1, Math.max(0, at < 0 ? (step > 0 ? 0 : all.length - 1) : at + step))];
    all.forEach((row) => row.classList.toggle("is-at", row === next));
    const link = next.querySelector("[data-open]");
    if (link) link.focus({ preventScroll: true });
    next.scrollIntoView({ block: "nearest" });
  };

  const turn = (rel) => {
    const link = document.querySelector(`a[rel="${rel}"]`);
    if (link) link.click();
    return Boolean(link);
  };

  const decide = (key) => {
    const choice = document.querySelector(`[data-key="${CSS.escape(key)}"]`);
    if (!choice) return false;
    choice.checked = true;
    const details = { correct: "#changes", accept_risk: "#until" }[choice.value];
    const field = details && document.querySelector(details);
    if (field) {
      field.closest("details").open = true;
      field.focus();
    } else {
      document.querySelector("[data-sign]").focus();
    }
    return true;
  };

  document.addEventListener("keydown", (event) => {
    if (off || event.ctrlKey || event.metaKey || event.altKey || event.isComposing || typing(event.target)) return;
    let done = true;
    if (event.key === "/") {
      const box = document.querySelector("[data-search]");
      if (box) { box.focus(); box.select(); } else done = false;
    } else if (event.key === "j") walk(1);
    else if (event.key === "k") walk(-1);
    else if (event.key === "n") done = turn("next");
    else if (event.key === "p") done = turn("prev");
    else if (event.key === "?") document.getElementById("shortcuts").open = true;
    else done = decide(event.key);
    if (done) event.preventDefault();
  });

  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && typing(event.target)) event.target.blur();
  });

  // A page that waits for long work asks how far that is, and is loaded again once, when there is something to show.
  const waits = document.querySelector("[data-waits]");
  const ask = async () => {
    try {
      const answer = await fetch(location.href, { credentials: "same-origin" });
      const said = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("[data-waits]");
      if (!said) { location.reload(); return; }
      if (said.textContent !== waits.textContent) waits.replaceChildren(...said.childNodes);
    } catch { /* asked again */ }
    setTimeout(ask, 2000);
  };
  if (waits) setTimeout(ask, 2000);

  const button = document.querySelector("[data-keys]");
  if (button) {
    const show = () => { button.textContent = off ? "Switch single keys on" : "Switch single keys off"; };
    button.hidden = false;
    show();
    button.addEventListener("click", () => {
      off = !off;
      try { localStorage.setItem(STORED, off ? "yes" : "no"); } catch { /* not kept, then */ }
      show();
    });
  }
})();
