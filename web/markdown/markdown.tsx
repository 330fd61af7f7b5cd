import { useSignal } from '@preact/signals';
import type { Token, Tokens } from 'marked';
import { type ComponentChildren, Fragment } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import { t } from '../i18n/index.ts';
import { Code, Growing } from './code.tsx';
import { GrowingLexer, isHuge, lex } from './lexer.ts';
import { Tex } from './tex.tsx';
import type { TexToken } from './tex-tokens.ts';

/** If a text is shown anyway, parts nested deeper than this stay plain text. */
const LEVELS_SHOWN_MAX = 100;

interface MarkdownProps {
  text: string;
  /** Whether more of the text is coming. */
  isGrowing?: boolean;
}

/**
 * A text of a model as Markdown. Nodes are built from marked's tokens, so no text ever becomes HTML. Pictures are
 * links: loading one would reveal to its server what the model was asked.
 */
export function Markdown({ text, isGrowing = false }: MarkdownProps) {
  const isForced = useSignal(false);
  const lexer = useRef(new GrowingLexer());
  if (!isForced.value && isHuge(text)) {
    return (
      <>
        <button type="button" onClick={() => (isForced.value = true)}>
          {t().chat.renderAnyway}
        </button>
        <pre class="plain" dir="auto">
          {text}
        </pre>
      </>
    );
  }
  const tokens = isGrowing ? lexer.current.lex(text) : lex(text);
  return (
    <div class="markdown" dir="auto">
      {tokens.map((token, index) => (
        <Block key={index} token={token} isGrowing={isGrowing && index === tokens.length - 1} />
      ))}
    </div>
  );
}

/** A block that has not changed is not rendered again: a stream changes only the last one. */
function Block({ token, isGrowing }: { token: Token; isGrowing: boolean }) {
  return useMemo(
    () => <Growing.Provider value={isGrowing}>{nodeOf(token, 0)}</Growing.Provider>,
    [token.raw, isGrowing],
  );
}

function nodesOf(tokens: readonly Token[] | undefined, level: number): ComponentChildren {
  return tokens?.map((token, index) => <Fragment key={index}>{nodeOf(token, level + 1)}</Fragment>);
}

function nodeOf(token: Token, level: number): ComponentChildren {
  if (level > LEVELS_SHOWN_MAX) return token.raw;
  const inner = () => nodesOf((token as Tokens.Generic).tokens, level);
  switch (token.type) {
    case 'heading':
      return <Heading depth={(token as Tokens.Heading).depth}>{inner()}</Heading>;
    case 'paragraph':
      return <p>{inner()}</p>;
    case 'blockquote':
      return <blockquote>{inner()}</blockquote>;
    case 'list':
      return <List token={token as Tokens.List} level={level} />;
    case 'code':
      return <Code text={(token as Tokens.Code).text} language={(token as Tokens.Code).lang} />;
    case 'blockTex':
      return <Tex source={(token as TexToken).text} isBlock />;
    case 'table':
      return <Table token={token as Tokens.Table} level={level} />;
    case 'hr':
      return <hr />;
    case 'space':
    case 'def':
      return null;
    default:
      return inlineOf(token, inner);
  }
}

function inlineOf(token: Token, inner: () => ComponentChildren): ComponentChildren {
  switch (token.type) {
    case 'strong':
      return <strong>{inner()}</strong>;
    case 'em':
      return <em>{inner()}</em>;
    case 'del':
      return <del>{inner()}</del>;
    case 'inlineTex':
      return <Tex source={(token as TexToken).text} />;
    case 'codespan':
      return <code>{(token as Tokens.Codespan).text}</code>;
    case 'br':
      return <br />;
    case 'link':
      return <Link href={(token as Tokens.Link).href}>{inner()}</Link>;
    case 'image':
      return <Link href={(token as Tokens.Image).href}>{(token as Tokens.Image).text}</Link>;
    case 'escape':
      return (token as Tokens.Escape).text;
    case 'text':
      return (token as Tokens.Text).tokens ? inner() : (token as Tokens.Text).text;
    default:
      return token.raw;
  }
}

/** Headings of an answer rank below those of the page. */
function Heading({ depth, children }: { depth: number; children: ComponentChildren }) {
  const Name = `h${Math.min(6, depth + 2)}` as 'h3';
  return <Name>{children}</Name>;
}

function List({ token, level }: { token: Tokens.List; level: number }) {
  const items = token.items.map((item, index) => (
    <li key={index}>
      {item.task && <input type="checkbox" checked={item.checked ?? false} disabled />}
      {nodesOf(item.tokens, level)}
    </li>
  ));
  if (!token.ordered) return <ul>{items}</ul>;
  return <ol start={token.start === '' ? 1 : token.start}>{items}</ol>;
}

function Table({ token, level }: { token: Tokens.Table; level: number }) {
  return (
    <div class="scroll" role="region" aria-label={t().chat.table} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {token.header.map((cell, index) => (
              <th key={index} scope="col" class={alignOf(cell)}>
                {nodesOf(cell.tokens, level)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {token.rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, at) => (
                <td key={at} class={alignOf(cell)}>
                  {nodesOf(cell.tokens, level)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const SAFE_SCHEMES = ['https:', 'http:', 'mailto:'];

/** A link in a text. A URL with another scheme, such as `javascript:`, stays plain text. */
function Link({ href, children }: { href: string; children: ComponentChildren }) {
  const scheme = URL.parse(href)?.protocol;
  if (scheme === undefined || !SAFE_SCHEMES.includes(scheme)) return <>{children}</>;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  );
}

/** Columns that the text aligns to the right contain numbers. */
function alignOf({ align }: Tokens.TableCell): string | undefined {
  return align === 'right' ? 'number' : undefined;
}
