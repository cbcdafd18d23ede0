(function () {
  "use strict";
  var box = document.getElementById("filter");
  var field = document.getElementById("filter-text");
  var status = document.getElementById("filter-status");
  var claims = Array.prototype.slice.call(document.querySelectorAll("#claims .claim"));
  var groups = Array.prototype.slice.call(document.querySelectorAll("#claims .group"));
  var folded = Array.prototype.slice.call(document.querySelectorAll("#claims details.alike"));
  if (!box || !claims.length) { return; }
  var texts = claims.map(function (claim) { return claim.querySelector(".claim-text").textContent.toLowerCase(); });
  function apply() {
    var words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    var shown = 0;
    claims.forEach(function (claim, index) {
      var fits = words.every(function (word) { return texts[index].indexOf(word) >= 0; });
      claim.hidden = !fits;
      shown += fits ? 1 : 0;
    });
    folded.forEach(function (each) { each.open = words.length > 0; });
    groups.forEach(function (group) { group.hidden = !group.querySelector(".claim:not([hidden])"); });
    status.textContent = words.length ? shown + " of " + claims.length + " claims contain these words." : "";
  }
  field.addEventListener("input", apply);
  box.hidden = false;
})();
