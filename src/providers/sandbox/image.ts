import { PNG } from 'pngjs';

export const IMAGE_SIDE = 512;
const CHANNELS = 3;
const CIRCLES_MIN = 5;
const CIRCLES_MAX = 9;

/** Numbers from 0 up to, not including, 1. */
type Random = () => number;

type Colour = readonly [red: number, green: number, blue: number];

/**
 * Draws an abstract picture. The bytes are the same for the same prompt and seed on every machine: it uses only the
 * four basic operations and square roots, which IEEE 754 defines exactly.
 */
export function drawImage(prompt: string, seed: number): Uint8Array {
  const random = randomFrom(JSON.stringify([prompt, seed]));
  const hue = random();
  const pixels = new Float32Array(IMAGE_SIDE * IMAGE_SIDE * CHANNELS);
  drawGradient(pixels, random, hue);
  const circles = CIRCLES_MIN + Math.floor(random() * (CIRCLES_MAX - CIRCLES_MIN + 1));
  for (let i = 0; i < circles; i++) drawCircle(pixels, random, hue);
  return encode(pixels);
}

/** Blends the colours of four corners with similar hues. */
function drawGradient(pixels: Float32Array, random: Random, hue: number): void {
  const corner = (turn: number): Colour =>
    colourOf(hue + turn, 0.55 + random() * 0.3, 0.25 + random() * 0.35);
  const topLeft = corner(0);
  const topRight = corner(0.08);
  const bottomLeft = corner(0.16);
  const bottomRight = corner(0.3);
  for (const channel of [0, 1, 2] as const) {
    const [a, b] = [topLeft[channel], topRight[channel]];
    const [c, d] = [bottomLeft[channel], bottomRight[channel]];
    for (let y = 0; y < IMAGE_SIDE; y++) {
      const left = a + ((c - a) * y) / IMAGE_SIDE;
      const step = (b + ((d - b) * y) / IMAGE_SIDE - left) / IMAGE_SIDE;
      const row = y * IMAGE_SIDE * CHANNELS + channel;
      for (let x = 0; x < IMAGE_SIDE; x++) pixels[row + x * CHANNELS] = left + step * x;
    }
  }
}

/** Draws a disc that is most opaque at its rim, with an antialiased edge. */
function drawCircle(pixels: Float32Array, random: Random, hue: number): void {
  const [centreX, centreY] = [random() * IMAGE_SIDE, random() * IMAGE_SIDE];
  const radius = IMAGE_SIDE * (0.06 + random() * random() * 0.34);
  const [red, green, blue] = colourOf(hue + 0.35 + random() * 0.3, 0.7, 0.45 + random() * 0.35);
  const strength = 0.25 + random() * 0.45;
  const [top, bottom] = [clamp(centreY - radius), clamp(centreY + radius + 1)];
  const [left, right] = [clamp(centreX - radius), clamp(centreX + radius + 1)];
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) {
      const dx = x - centreX;
      const dy = y - centreY;
      const distance = Math.sqrt(dx * dx + dy * dy);
      if (distance >= radius) continue;
      const inside = distance / radius;
      const alpha = strength * (0.35 + 0.65 * inside * inside) * Math.min(1, radius - distance);
      const at = (y * IMAGE_SIDE + x) * CHANNELS;
      pixels[at] = mix(pixels[at], red, alpha);
      pixels[at + 1] = mix(pixels[at + 1], green, alpha);
      pixels[at + 2] = mix(pixels[at + 2], blue, alpha);
    }
  }
}

function mix(below: number | undefined, above: number, alpha: number): number {
  const base = below ?? 0;
  return base + (above - base) * alpha;
}

function clamp(position: number): number {
  return Math.min(IMAGE_SIDE, Math.max(0, Math.floor(position)));
}

/** HSL to RGB, 0 to 255. @param hue in turns; its whole part is ignored */
function colourOf(hue: number, saturation: number, lightness: number): Colour {
  const reach = saturation * Math.min(lightness, 1 - lightness);
  const channel = (offset: number): number => {
    const k = (offset + hue * 12) % 12;
    return 255 * (lightness - reach * Math.max(-1, Math.min(k - 3, 9 - k, 1)));
  };
  return [channel(0), channel(8), channel(4)];
}

function encode(pixels: Float32Array): Uint8Array {
  const png = new PNG({ width: IMAGE_SIDE, height: IMAGE_SIDE });
  const rgba = png.data;
  for (let from = 0, to = 0; from < pixels.length; from += CHANNELS, to += 4) {
    rgba[to] = pixels[from] ?? 0;
    rgba[to + 1] = pixels[from + 1] ?? 0;
    rgba[to + 2] = pixels[from + 2] ?? 0;
    rgba[to + 3] = 255;
  }
  // A fixed filter (2, "up", which suits gradients) and a low level: fast, and the same in every version of the
  // library.
  return PNG.sync.write(png, { colorType: 2, filterType: 2, deflateLevel: 3 });
}

/** SFC32, a small generator that passes PractRand, seeded with the SHA-256 of the given text. */
function randomFrom(seed: string): Random {
  const digest = new Bun.CryptoHasher('sha256').update(seed).digest();
  let a = digest.readInt32LE(0);
  let b = digest.readInt32LE(4);
  let c = digest.readInt32LE(8);
  let counter = digest.readInt32LE(12);
  return () => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 2 ** 32;
  };
}
