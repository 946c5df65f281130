// Looks again at a page that waits for something, as long as somebody sees it.
"use strict";
const seconds = Number(document.currentScript.dataset.seconds);
setInterval(() => { if (!document.hidden) location.reload(); }, 1000 * seconds);
