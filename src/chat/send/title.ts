const TITLE_CHARS = 80;

/** The first words of a message, on one line, never cut inside a character. */
export function titleOf(message: string): string {
  const line = message
    .slice(0, TITLE_CHARS * 4)
    .replace(/\s+/g, ' ')
    .trim();
  if (line.length <= TITLE_CHARS) return line.toWellFormed();
  return Array.from(line).slice(0, TITLE_CHARS).join('').toWellFormed();
}
