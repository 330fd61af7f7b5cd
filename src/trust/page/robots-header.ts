import { PRODUCT_TOKEN } from './guarded-fetch.ts';

/** Rules that have a value after a colon; before any other colon stands the name of a robot. */
const WITH_VALUE: ReadonlySet<string> = new Set(
  'unavailable_after,max-snippet,max-image-preview,max-video-preview'.split(','),
);
/** The form of a robot's name. The times of dates have colons too, but match no name. */
const ROBOT = /^[a-z][a-z0-9._-]*$/;
const OURS = PRODUCT_TOKEN.toLowerCase();

/**
 * The rules of an X-Robots-Tag header that apply to all robots or to us, separated by commas. A robot's name before a
 * rule (`otherbot: noindex, nofollow`) also applies to the rules after it, up to the next name.
 */
export function robotsHeaderForUs(header: string): string {
  let isForUs = true;
  const rules: string[] = [];
  for (const part of header.toLowerCase().split(',')) {
    const colon = part.indexOf(':');
    const name = part.slice(0, Math.max(0, colon)).trim();
    const isNamed = ROBOT.test(name) && !WITH_VALUE.has(name);
    if (isNamed) isForUs = name === OURS;
    if (isForUs) rules.push(isNamed ? part.slice(colon + 1) : part);
  }
  return rules.join(',');
}
