/** Texts that a page must show as plain text. A script in them would set `window.hacked`. */

const RUN = 'window.hacked=1';
/** Nothing answers there, but a request is noticed. */
const ELSEWHERE = 'http://127.0.0.1:1/elsewhere';

const patterns: readonly string[] = [
  `<script>${RUN}</script>`,
  `<script src="${ELSEWHERE}.js"></script>`,
  `</textarea></title></style><script>${RUN}</script>`,
  `<img src=x onerror="${RUN}">`,
  `<img src="${ELSEWHERE}.png" srcset="${ELSEWHERE}-2.png 2x">`,
  `<svg onload=${RUN}><animate onbegin=${RUN} attributeName=x></svg>`,
  `<svg><use href="${ELSEWHERE}.svg#a"/><image href="${ELSEWHERE}.png"/></svg>`,
  `<iframe srcdoc="<script>parent.${RUN}</script>"></iframe>`,
  `<object data="${ELSEWHERE}"></object><embed src="${ELSEWHERE}">`,
  `<video src="${ELSEWHERE}.mp4" autoplay onloadstart=${RUN}></video>`,
  `<details open ontoggle=${RUN}>x</details><input autofocus onfocus=${RUN}>`,
  `<style>@import "${ELSEWHERE}.css"; * { display: none }</style>`,
  `<link rel=stylesheet href="${ELSEWHERE}.css"><base href="${ELSEWHERE}/">`,
  `<meta http-equiv=refresh content="0;url=${ELSEWHERE}">`,
  `<form action="${ELSEWHERE}"><button>Send</button></form>`,
  `&lt;script&gt;${RUN}&lt;/script&gt; &#60;img src=x onerror=${RUN}&#62;`,
  `[run](javascript:${RUN}) [run](JaVaScRiPt:${RUN}) [run](java&#115;cript:${RUN})`,
  `[data](data:text/html,<script>${RUN}</script>) [file](file:///etc/passwd)`,
  `![picture](${ELSEWHERE}.png) ![data](data:image/svg+xml,<svg onload=${RUN}>)`,
  `[a]: javascript:${RUN}\n\n[a] <javascript:${RUN}> ![a][a]`,
  '\u202Eevil\u202C \u2066\u2067\u200F\u061C',
  'zero\u200B\u200C\u200D\uFEFF\u2060\u00ADwidth\u034F',
  `Z${'\u0301\u0489\u0E47'.repeat(30)}`,
  '=HYPERLINK("http://127.0.0.1:1/elsewhere","x")',
  "@SUM(1+1)*cmd|' /C calc'!A0",
  '{{constructor.constructor("window.hacked=1")()}} ${window.hacked=1} <%= 1 %> #{1}',
  '```html\n<script>window.hacked=1</script>\n~~~',
  '$\\def\\a{\\a\\a}\\a$ $$\\href{javascript:window.hacked=1}{x}\\rule{99999em}{99999em}$$',
  `$${'{'.repeat(200)}x${'}'.repeat(200)}$ $\\class{x}{y}\\url{http://127.0.0.1:1/elsewhere}$`,
  'W'.repeat(180),
];

const surroundings: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => `**${text}**`,
  (text) => `> ${text}`,
  (text) => `1. ${text}\n   - ${text}`,
  (text) => `| a | b |\n|---|---|\n| ${text} | ${text} |`,
  (text) => `# ${text}`,
  (text) => `[${text}](https://example.com/?q=${text})`,
  (text) => `\u202E${text}`,
  (text) => `"'></td></tr></table>${text}`,
  (text) => `<div title='\n\n${text}\n\n</div>`,
];

/** 300 texts; none is longer than a reason may be. */
export const hostileTexts: readonly string[] = surroundings.flatMap((around) =>
  patterns.map(around),
);

/** Messages that are hostile by their size. */
export const hugeTexts: readonly string[] = [
  'x'.repeat(1_000_000),
  Array.from({ length: 300 }, (_, depth) => `${' '.repeat(depth * 2)}- deep`).join('\n'),
  `${'> '.repeat(300)}deep`,
  '['.repeat(5_000),
  '*a '.repeat(5_000),
  `\`\`\`\n${'\u202E x'.repeat(5_000)}`,
];
