// Keeps forms from being sent wrongly. A form is sent once, however often its button is pressed
// within three seconds. A chosen file that cannot be read, such as a folder or a file that has
// changed since, is reported: a browser would send nothing and say that the site cannot be reached.
"use strict";
document.addEventListener("submit", (event) => {
  const { dataset } = event.target;
  if (dataset.sent) event.preventDefault();
  dataset.sent = "yes";
  setTimeout(() => delete dataset.sent, 3000);
});

async function look(input) {
  const [file] = input.files;
  const isRead = !file || await file.slice(0, 1).arrayBuffer().then((part) => part.byteLength, () => 0);
  input.setCustomValidity(isRead ? "" : `${file.name} is a folder, is empty, or has changed since `
    + "you chose it. Choose the file again, or a zip of the folder.");
  if (isRead) return;
  input.reportValidity();
  input.value = ""; // so that the same file can be chosen again
}

const lookAtAll = () => document.querySelectorAll("input[type=file]").forEach(look);
document.addEventListener("change", lookAtAll); // also of the text that is pasted instead
addEventListener("focus", lookAtAll);
