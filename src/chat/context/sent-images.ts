/**
 * The images of a message, from its stored parameters: ids of stored images, and https URLs. Only an answered message
 * keeps its images.
 */
export function imagesIn({ parameters, state }: { parameters: string; state: string }): string[] {
  // Almost no message has images.
  if (!parameters.includes('"images"') || (state !== 'done' && state !== 'stopped')) return [];
  return (JSON.parse(parameters) as { images?: string[] }).images ?? [];
}

/** Where each of the images can be viewed. */
export function imageUrlsOf(
  message: { parameters: string; state: string },
  url: (id: string) => string,
): string[] {
  return imagesIn(message).map((image) => (image.startsWith('https://') ? image : url(image)));
}
