/** The addresses in a text: one on each line, or separated by commas, semicolons or blanks; without duplicates. */
export function addressesOf(text: string): string[] {
  const found = text.replace(/^\uFEFF/, '').split(/[\s,;]+/);
  return [
    ...new Set(found.map((one) => one.replace(/^["']+|["']+$/g, '')).filter((one) => one !== '')),
  ];
}
