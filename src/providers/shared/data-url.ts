/** An image that stands in a message itself. */
export interface InlineImage {
  /** e.g. `image/png` */
  mediaType: string;
  base64: string;
}

/** Reads `data:image/png;base64,…`. @returns undefined when it is no image in base64 */
export function parseDataUrl(url: string): InlineImage | undefined {
  const comma = url.indexOf(',');
  const [, mediaType] =
    /^data:(image\/[\w.+-]+)(?:;[\w=-]+)*;base64$/i.exec(url.slice(0, comma)) ?? [];
  if (comma < 0 || mediaType === undefined) return undefined;
  return { mediaType: mediaType.toLowerCase(), base64: url.slice(comma + 1) };
}
