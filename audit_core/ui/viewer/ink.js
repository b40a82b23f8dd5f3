// How dark the parts of a page are, from a small copy of its image, so that tags of boxes can keep off the print.

const COPY_WIDTH = 240;

/**
 * Resolves to a function (left, top, right, bottom in parts of the page) -> mean difference from the page's own ground, 0-1; null where the
 * image cannot be read. The image is made small away from the main thread, so that nothing stutters.
 */
export async function measureInk(img) {
  const width = COPY_WIDTH;
  const height = Math.max(1, Math.round((width * img.naturalHeight) / img.naturalWidth));
  let pixels;
  try {
    const small = await createImageBitmap(img, { resizeWidth: width, resizeHeight: height, resizeQuality: "medium" });
    const context = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
    context.drawImage(small, 0, 0);
    small.close();
    pixels = context.getImageData(0, 0, width, height).data;
  } catch {
    return null;
  }
  const grey = new Uint8Array(width * height);
  const counts = new Uint32Array(256);
  for (let at = 0; at < grey.length; at += 1) {
    grey[at] = (pixels[at * 4] * 77 + pixels[at * 4 + 1] * 150 + pixels[at * 4 + 2] * 29) >> 8;
    counts[grey[at]] += 1;
  }
  const ground = counts.indexOf(Math.max(...counts));       // the commonest grey: the paper
  return (left, top, right, bottom) => {
    const x0 = Math.max(0, Math.floor(left * width)), x1 = Math.min(width, Math.ceil(right * width));
    const y0 = Math.max(0, Math.floor(top * height)), y1 = Math.min(height, Math.ceil(bottom * height));
    let sum = 0, cells = 0;
    for (let row = y0; row < y1; row += 1) {
      for (let column = x0; column < x1; column += 1) { sum += Math.abs(grey[row * width + column] - ground); cells += 1; }
    }
    return cells ? sum / cells / 255 : 1;
  };
}
