/**
 * Browsers, by the mark that only their User-Agent has. Most also contain the marks of those further down, from which
 * they descend.
 */
const browsers: readonly (readonly [mark: RegExp, name: string])[] = [
  [/\bYaBrowser\//, 'Yandex Browser'],
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOP(?:R|T|iOS)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:(?:Headless)?Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bVersion\/.*\bSafari\//, 'Safari'],
];

const systems: readonly (readonly [mark: RegExp, name: string])[] = [
  [/\bWindows\b/, 'Windows'],
  [/\bAndroid\b/, 'Android'],
  [/\b(?:iPhone|iPad|iPod)\b/, 'iOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac(?:intosh| OS X)\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

/** The most characters of a program's name. */
const NAME_MAX = 40;
/** Longer headers are not read to the end. */
const READ_MAX = 500;

/**
 * A User-Agent in a few words: a browser with its system, or a program's own name. Versions are left out: they change,
 * and tell users nothing.
 * @returns for example `Firefox, Linux` or `python-requests`; null if nothing is recognised
 */
export function deviceOf(userAgent: string): string | null {
  const text = userAgent.slice(0, READ_MAX);
  const browser = firstOf(browsers, text);
  if (browser !== undefined) {
    return [browser, firstOf(systems, text)].filter((name) => name !== undefined).join(', ');
  }
  const [, program = ''] = /^([\w.@+-]+)/.exec(text) ?? [];
  return program === '' || program === 'Mozilla' ? null : program.slice(0, NAME_MAX);
}

function firstOf(marks: typeof browsers, text: string): string | undefined {
  return marks.find(([mark]) => mark.test(text))?.[1];
}
