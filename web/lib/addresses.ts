/** The addresses of a text: one a line, or separated by commas, semicolons or blanks; each once. */
export function addressesOf(text: string): string[] {
  const found = text.replace(/^\uFEFF/, '').split(/[\s,;]+/);
  return [
    ...new Set(found.map((one) => one.replace(/^["']+|["']+$/g, '')).filter((one) => one !== '')),
  ];
}
