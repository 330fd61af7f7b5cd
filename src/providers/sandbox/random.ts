/** Numbers from 0 up to, not including, 1. */
export type Random = () => number;

/** SFC32, a small generator that passes PractRand, seeded with the SHA-256 of the given text. */
export function randomFrom(seed: string): Random {
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
