/**
 * A QR code as the path of an SVG, since the page contains no code for that.
 * @returns the modules of a side without the quiet zone, and a rectangle for each run of dark modules
 */
export async function qrPath(text: string): Promise<{ size: number; path: string }> {
  // Loaded when somebody sets up a second factor.
  const { encode } = await import('uqr');
  const { size, data } = encode(text, { border: 0 });
  const rows = data.map((row, y) => {
    const line = row.map((isDark) => (isDark ? '#' : ' ')).join('');
    return [...line.matchAll(/#+/g)].map(
      ({ 0: run, index }) => `M${index} ${y}h${run.length}v1H${index}z`,
    );
  });
  return { size, path: rows.flat().join('') };
}
