// Colours of evidence pages and of codes (Okabe-Ito: told apart with every common colour blindness).

const PAGE_COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#7A6A00", "#000000"];

export const CORRECT_COLOUR = "#009E73";

/** The colour of evidence page `index` (0-based); after eight pages the colours repeat, the numbers do not. */
export function pageColour(index) {
  return PAGE_COLOURS[index % PAGE_COLOURS.length];
}

function luminance(hex) {
  const parts = [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
}

/** Black or white, whichever is easier to read on `hex`; black where `hex` is no colour. */
export function inkOn(hex) {
  if (!/^#[0-9a-f]{6}$/i.test(hex)) return "#000000";
  const light = luminance(hex);
  return (light + 0.05) / 0.05 >= 1.05 / (light + 0.05) ? "#000000" : "#FFFFFF";
}
