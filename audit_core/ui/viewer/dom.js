// Builds elements. Data reaches the page as text nodes and attributes only, never as markup.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, props, children) {
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "style") node.style.cssText = value;      // a style attribute is what a strict content policy refuses
    else if (name === "testid") node.setAttribute("data-testid", value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

/** The HTML element `tag` with attributes, listeners (`onclick`) and children; strings become text. */
export function h(tag, props, ...children) {
  return fill(document.createElement(tag), props, children);
}

/** The same for SVG. */
export function s(tag, props, ...children) {
  return fill(document.createElementNS(SVG, tag), props, children);
}

/** A button that is pressed with the mouse or a key; `key` is shown as a key cap in front of the words. */
export function button(label, { key, testid, kind = "", title, onclick }) {
  return h("button", { type: "button", class: `button ${kind}`, testid, title, onclick },
    key ? h("kbd", null, key) : null, label);
}

/** A modal dialog in `parent`; it is removed as soon as it is closed. Nothing in it is focused but its title. */
export function openDialog(parent, { title, testid, wide = false, onclose }, ...children) {
  const head = h("h2", { tabindex: "-1", autofocus: true }, title);
  const close = h("button", { type: "button", class: "close", "aria-label": "close", onclick: () => dialog.close() }, "×");
  const dialog = h("dialog", { class: wide ? "dialog wide" : "dialog", testid, "aria-label": title },
    h("header", null, head, close), h("div", { class: "dialog-body" }, ...children));
  // The event "close" comes with the next frame, which a busy machine draws late: by then somebody may be writing elsewhere.
  const closing = new MutationObserver(() => {
    if (dialog.open) return;
    closing.disconnect();
    dialog.remove();
    onclose?.();
  });
  closing.observe(dialog, { attributeFilter: ["open"] });
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
  // The browser gives the focus back to what has it now: to a button, where Enter would press it again. A dialog below keeps its own.
  if (!parent.querySelector("dialog[open]")) parent.getRootNode().activeElement?.blur();
  parent.append(dialog);
  dialog.showModal();
  head.focus();
  return dialog;
}
