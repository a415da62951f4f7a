/** Files of a message: pictures are shown, everything else is a link. */

import { el, icon } from "./dom.js";
import { outward } from "./mentions.js";
import { asWanted } from "./motion.js";

const PICTURE = /\.(png|jpe?g|gif|webp|avif|svg)$/i;
const LOOPBACK = /^(127(\.\d+){3}|localhost|\[::1\])$/;

/** The address of a file as this page may load it: those of the sandbox itself come from where the page comes from. */
export function fileAddress(address) {
  const url = URL.canParse(address) ? new URL(address) : null;
  return url && LOOPBACK.test(url.hostname) ? url.pathname + url.search : address;
}

/** The address of a picture of an embed, which may name one of the message's files. */
export function pictureAddress(picture, message) {
  const name = /^attachment:\/\/(.+)$/.exec(picture.url ?? "")?.[1];
  const file = name && message.attachments?.find((attachment) => attachment.filename === name);
  return fileAddress(file?.url ?? picture.url);
}

/** Whether an embed of the message shows this file already. */
export function shownInEmbeds(attachment, message) {
  const own = fileAddress(attachment.url);
  return (message.embeds ?? []).some((embed) =>
    [embed.image, embed.thumbnail].some((picture) => picture && pictureAddress(picture, message) === own));
}

/** A picture that opens in full in a window of its own; one from elsewhere is a link, as the page loads nothing from there. */
export function picture(address, alt, size = {}) {
  if (!isOwn(address)) return el("div", { class: "file" }, icon("away"), outward(address, `A picture at ${hostOf(address)}`));
  const image = el("img", { src: asWanted(address), alt, width: size.width, height: size.height, decoding: "async" });
  const look = { class: "picture", title: "Open the full picture", target: "_blank", rel: "noopener noreferrer" };
  return el("a", { href: address, ...look }, image);
}

/** The small picture before a name, if it is one of the sandbox's own. */
export function smallPicture(address) {
  const own = address && fileAddress(address);
  return own && isOwn(own) ? el("img", { src: own, alt: "", class: "small-icon" }) : null;
}

function isOwn(address) {
  return /^\/(?!\/)/.test(address);
}

function hostOf(address) {
  return URL.canParse(address) ? new URL(address).host : address;
}

/** A file of a message outside its embeds. */
export function attachmentNode(attachment) {
  const address = fileAddress(attachment.url);
  const isPicture = attachment.content_type?.startsWith("image/") ?? PICTURE.test(attachment.filename);
  if (isPicture) return picture(address, attachment.description ?? attachment.filename, attachment);
  const link = isOwn(address)
    ? el("a", { href: address, target: "_blank", rel: "noopener", download: attachment.filename }, attachment.filename)
    : outward(address, attachment.filename);
  return el("div", { class: "file" }, icon("away"), link, el("span", { class: "size" }, sizeOf(attachment.size)));
}

function sizeOf(bytes = 0) {
  if (bytes < 1024) return `${bytes} bytes`;
  return bytes < 1024 ** 2 ? `${(bytes / 1024).toFixed(1)} KB` : `${(bytes / 1024 ** 2).toFixed(1)} MB`;
}
