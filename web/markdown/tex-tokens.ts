import type { MarkedOptions, Tokens } from 'marked';

/** A formula in a text. */
export interface TexToken extends Tokens.Generic {
  type: 'blockTex' | 'inlineTex';
  /** Its source, without the marks around it. */
  text: string;
}

const blockTex = [/^\$\$([^$]+?)\$\$(?:\n|$)/, /^\\\[([\s\S]+?)\\\](?:\n|$)/];
// As in Pandoc: no blank inside the marks, and no digit after them. "5 $ or 10 $" contains no formula.
const inlineTex = [
  /^\$\$([^$\n]+?)\$\$/,
  /^\\\[([^\n]+?)\\\]/,
  /^\\\(([^\n]+?)\\\)/,
  /^\$((?:[^\s$\\]|\\.)(?:(?:[^$\\\n]|\\.)*?(?:[^\s$\\]|\\.))?)\$(?!\d)/,
];

function reader(type: TexToken['type'], patterns: readonly RegExp[]) {
  return (source: string): TexToken | undefined => {
    for (const pattern of patterns) {
      const [raw, text] = pattern.exec(source) ?? [];
      if (raw !== undefined && text !== undefined) return { type, raw, text: text.trim() };
    }
    return undefined;
  };
}

/** Where the next formula may begin. */
function startOf(pattern: RegExp) {
  return (source: string): number => {
    const at = source.search(pattern);
    return at === -1 ? Infinity : at;
  };
}

/** TeX between `$…$`, `$$…$$`, `\(…\)` and `\[…\]`, as extensions of marked's lexer. */
export const texExtensions: NonNullable<MarkedOptions['extensions']> = {
  renderers: {},
  childTokens: {},
  block: [reader('blockTex', blockTex)],
  inline: [reader('inlineTex', inlineTex)],
  startBlock: [startOf(/^\$\$|^\\\[/m)],
  startInline: [startOf(/\$|\\[([]/)],
};
