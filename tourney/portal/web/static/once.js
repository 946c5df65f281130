// Sends a form once, however often its button is pressed within three seconds.
"use strict";
document.addEventListener("submit", (event) => {
  const { dataset } = event.target;
  if (dataset.sent) event.preventDefault();
  dataset.sent = "yes";
  setTimeout(() => delete dataset.sent, 3000);
});
