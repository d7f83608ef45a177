/** Draws the pictures of the sandbox's products, which the API serves. docs/specification.md#pictures-of-the-sandbox. */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** The catalogue with the names of the pictures. `dev/scripts/build.mjs` draws them again when it changes. */
export const pictureSource = 'dev/sandbox/catalogue.json';

const size = { width: 320, height: 200 };
const line = { height: 34, characters: 16 };

/** Writes one SVG for each product with a picture: its name on a colour of its own. */
export function drawPictures({ root, folder }) {
  mkdirSync(folder, { recursive: true });
  const { voucherProducts, topupProducts, esimProducts } = JSON.parse(readFileSync(join(root, pictureSource), 'utf8'));
  for (const { name, imageUrl } of [...voucherProducts, ...topupProducts, ...esimProducts])
    if (imageUrl) writeFileSync(join(folder, basename(imageUrl)), drawing(name));
}

function drawing(name) {
  const lines = linesOf(name);
  const top = (size.height - (lines.length - 1) * line.height) / 2;
  const texts = lines.map(
    (text, index) => `<text x="${size.width / 2}" y="${top + index * line.height}">${escaped(text)}</text>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}" viewBox="0 0 ${size.width} ${size.height}" role="img">`,
    `<title>${escaped(name)}</title>`,
    `<rect width="100%" height="100%" fill="hsl(${hueOf(name)}, 55%, 32%)" />`,
    '<g fill="#fff" font-family="sans-serif" font-size="28" text-anchor="middle" dominant-baseline="central">',
    ...texts,
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

/** The words of the name in lines that fit the picture. */
function linesOf(name) {
  const lines = [];
  for (const word of name.split(' ')) {
    const longer = `${lines.at(-1) ?? ''} ${word}`.trim();
    if (lines.length > 0 && longer.length <= line.characters) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** A hue in degrees that is always the same for a name. */
function hueOf(name) {
  return createHash('sha256').update(name).digest().readUInt16BE() % 360;
}

function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
