import bash from 'highlight.js/lib/languages/bash';
import cpp from 'highlight.js/lib/languages/cpp';
import css from 'highlight.js/lib/languages/css';
import go from 'highlight.js/lib/languages/go';
import java from 'highlight.js/lib/languages/java';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import rust from 'highlight.js/lib/languages/rust';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import { createLowlight } from 'lowlight';
import type { ComponentChildren } from 'preact';

const lowlight = createLowlight({
  bash,
  cpp,
  css,
  go,
  java,
  json,
  python,
  rust,
  sql,
  typescript,
  xml,
  yaml,
});
lowlight.registerAlias({ cpp: ['c', 'csharp'], typescript: ['js', 'javascript', 'jsx'] });

/** Code in the colours of its language; unchanged if the language is not known. */
export function colours(text: string, language: string): ComponentChildren {
  const name = language.split(/\s/, 1)[0]?.toLowerCase() ?? '';
  if (!lowlight.registered(name)) return text;
  return lowlight.highlight(name, text).children.map(nodeOf);
}

type Node = ReturnType<typeof lowlight.highlight>['children'][number];

function nodeOf(node: Node): ComponentChildren {
  if (node.type === 'text') return node.value;
  if (node.type !== 'element') return null;
  const names = node.properties['className'];
  return (
    <span class={Array.isArray(names) ? names.join(' ') : ''}>{node.children.map(nodeOf)}</span>
  );
}
