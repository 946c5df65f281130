// Reloads a page that waits for a result, while the page is visible.
"use strict";
const seconds = Number(document.currentScript.dataset.seconds);
setInterval(() => { if (!document.hidden) location.reload(); }, 1000 * seconds);
