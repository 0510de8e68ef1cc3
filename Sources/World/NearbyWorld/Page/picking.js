// What an app's open accessory picker asks, as a row of the banner of questions.

import { element } from "./dom.js";

/** Maximum number of offers with a button of their own. */
const mostOffers = 6;

/** A key that changes when the row has to be built anew. */
export function pickerKey(picker) {
  return `picker ${JSON.stringify(picker)}`;
}

/** The sentence that the banner shows and announces. */
export function pickerTitle({ name }, picker) {
  switch (picker.kind) {
    case "choose":
      return picker.offers.length > 0
        ? `The app on ${name} wants to set up an accessory.`
        : `The app on ${name} wants to set up an accessory. Searching…`;
    case "migrate": return `The app on ${name} wants to keep ${picker.names.join(", ")}, which it used before.`;
    case "pairing": return `The app on ${name} pairs with ${picker.name}…`;
    default: return `The app on ${name} asks for a name for ${picker.name}.`;
  }
}

/** The controls of a picker. `reply` sends the person's reply: `{ value, peer, name }`. */
export function pickerControls(picker, reply) {
  const cancel = button("Cancel", "cancel", () => reply({ value: "cancel" }));
  switch (picker.kind) {
    case "choose": {
      const offers = picker.offers.slice(0, mostOffers).map((offer) => {
        const text = offer.advertised ? `${offer.name} (${offer.advertised})` : offer.name;
        const made = button(text, "choose", () => reply({ value: "choose", peer: offer.peer }));
        made.dataset.peer = offer.peer;
        return made;
      });
      const more = picker.offers.length - mostOffers;
      if (more > 0) offers.push(element("span", { class: "more", text: `and ${more} more` }));
      return [...offers, cancel];
    }
    case "migrate": return [cancel, button("Allow", "agree", () => reply({ value: "agree" }))];
    case "pairing": return [cancel];
    default: return naming(picker, reply);
  }
}

function naming(picker, reply) {
  const input = element("input", { type: "text", maxlength: "64", "aria-label": `Name for ${picker.name}` });
  input.value = picker.name;
  const done = () => reply({ value: "name", name: input.value });
  input.addEventListener("keydown", (event) => {
    if (event.key === "Enter") done();
  });
  return [input, button("Done", "name", done), button("Keep name", "cancel", () => reply({ value: "cancel" }))];
}

function button(text, answer, act) {
  const made = element("button", { type: "button", text });
  made.dataset.answer = answer;
  made.addEventListener("click", act);
  return made;
}
