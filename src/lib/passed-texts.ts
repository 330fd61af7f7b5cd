/**
 * Long texts of a request that are passed on as the bytes in which they came, undecoded: images in base64. The request
 * has stand-ins in their place.
 */
export interface PassedTexts {
  /** The beginning of each stand-in. It is random, so no text of the request can contain it. */
  mark: string;
  /** The request's bytes. */
  bytes: Uint8Array;
  /** The places of the texts in the bytes, without their quotes: the start and the end of each. */
  places: readonly (readonly [number, number])[];
}

const encoder = new TextEncoder();

export function standInFor(mark: string, index: number): string {
  return `${mark}.${index}.`;
}

/** JSON with the texts in place of their stand-ins, in pieces. The texts are not copied. */
export function withPassedTexts({ mark, bytes, places }: PassedTexts, json: string): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  const [first = '', ...parts] = json.split(`${mark}.`);
  pieces.push(encoder.encode(first));
  for (const part of parts) {
    const dot = part.indexOf('.');
    const [begin, end] = places[Number(part.slice(0, dot))] ?? [0, 0];
    pieces.push(bytes.subarray(begin, end), encoder.encode(part.slice(dot + 1)));
  }
  return pieces;
}

/** A text with the decoded texts in place of their stand-ins. */
export function decodePassed(passed: PassedTexts, text: string): string {
  if (!text.includes(passed.mark)) return text;
  return JSON.parse(
    Buffer.concat(withPassedTexts(passed, JSON.stringify(text))).toString(),
  ) as string;
}
