/** Turns a node on the page into a freshly built one, keeping the elements (and so focus and loaded pictures). */

/** Makes `node` equal to `fresh`, reusing what has the same position and kind. */
export function morph(node, fresh) {
  if (node.nodeName !== fresh.nodeName) {
    node.replaceWith(fresh);
  } else if (node.nodeType === Node.TEXT_NODE) {
    if (node.data !== fresh.data) node.data = fresh.data;
  } else {
    morphAttributes(node, fresh);
    morphChildren(node, fresh);
  }
}

/** Changes the children of a node in place, so that what has the focus keeps it. */
export function redraw(node, children) {
  const fresh = node.cloneNode(false);
  fresh.append(...children);
  morph(node, fresh);
}

function morphAttributes(node, fresh) {
  // What the reader has ticked is no attribute.
  if (node.matches("[type=checkbox], [type=radio]")) node.checked = fresh.checked;
  // A spoiler its reader has opened stays open.
  if (node.hasAttribute("data-shown") && fresh.matches(".spoiler")) return;
  for (const { name } of [...node.attributes]) {
    if (!fresh.hasAttribute(name)) node.removeAttribute(name);
  }
  for (const { name, value } of fresh.attributes) {
    if (node.getAttribute(name) === value) continue;
    // A style attribute set as text would be refused by the page's content security policy.
    if (name === "style") node.style.cssText = fresh.style.cssText;
    else node.setAttribute(name, value);
  }
}

function morphChildren(node, fresh) {
  const wanted = [...fresh.childNodes];
  const present = [...node.childNodes];
  present.slice(wanted.length).forEach((extra) => extra.remove());
  wanted.forEach((child, index) => {
    if (index < present.length) morph(present[index], child);
    else node.append(child);
  });
}
