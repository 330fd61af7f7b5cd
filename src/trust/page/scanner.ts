import { Tokenizer } from 'htmlparser2';
import { KIB } from './limits.ts';

/** Characters passed to the tokenizer at once. */
const SCAN_CHUNK_CHARACTERS = 16 * KIB;
/** How many characters before the current chunk a token may begin in; a longer token is cut. */
const SCAN_WINDOW_CHARACTERS = 4 * KIB;
/** The longest value of an attribute; the rest is dropped. */
const ATTRIBUTE_CHARACTERS_MAX = 4 * KIB;
/** The longest name of a tag or attribute; longer ones are ignored. */
const NAME_CHARACTERS_MAX = 32;

export type Attributes = ReadonlyMap<string, string>;

/** Receives the parts of a page in their order. Names are in lower case. */
export interface ScanHandler {
  onOpen(tag: string, attributes: Attributes): void;
  onClose(tag: string): void;
  /** Character references are decoded; a run of text may come in several pieces. */
  onText(text: string): void;
}

/** Elements that end an unclosed SVG or MathML element. */
const BREAKOUT: ReadonlySet<string> = new Set(
  'body,center,div,dl,form,h1,h2,h3,head,li,main,nav,ol,p,section,span,table,ul'.split(','),
);

/**
 * Reads HTML as a stream of tags and text, with the tokenizer of htmlparser2 but not its parser, in which each end tag
 * searches all open elements: a page may open a million. Memory does not grow with the page: it is one window of text
 * and the attributes of one tag.
 */
export class Scanner {
  readonly #handler: ScanHandler;
  /** The attributes that are read; others are skipped. */
  readonly #wanted: ReadonlySet<string>;
  readonly #tokenizer: Tokenizer;
  /** The latest text and some before it; `#start` is its offset in the page. */
  #window = '';
  #start = 0;
  #tag = '';
  #attributes = new Map<string, string>();
  #name: string | null = null;
  #value = '';
  /** Open SVG and MathML elements, whose `<title>` and `<style>` are not the page's. */
  #foreign = 0;

  constructor(wanted: ReadonlySet<string>, handler: ScanHandler) {
    this.#wanted = wanted;
    this.#handler = handler;
    this.#tokenizer = new Tokenizer(
      { decodeEntities: true },
      {
        onopentagname: (start, end) => this.#beginTag(this.#nameAt(start, end)),
        onopentagend: () => this.#endTag(false),
        onselfclosingtag: () => this.#endTag(true),
        onclosetag: (start, end) => this.#closeTag(this.#nameAt(start, end)),
        onattribname: (start, end) => this.#beginAttribute(this.#nameAt(start, end)),
        onattribdata: (start, end) => this.#addValue(this.#slice(start, end)),
        onattribentity: (codePoint) => this.#addValue(String.fromCodePoint(codePoint)),
        onattribend: () => this.#endAttribute(),
        ontext: (start, end) => this.#handler.onText(this.#slice(start, end)),
        ontextentity: (codePoint) => this.#handler.onText(String.fromCodePoint(codePoint)),
        oncdata: (start, end, offset) => this.#handler.onText(this.#slice(start, end - offset)),
        oncomment: () => {},
        ondeclaration: () => {},
        onprocessinginstruction: () => {},
        onend: () => {},
        isInForeignContext: () => this.#foreign > 0,
      },
    );
  }

  write(text: string): void {
    for (let at = 0; at < text.length; at += SCAN_CHUNK_CHARACTERS) {
      const chunk = text.slice(at, at + SCAN_CHUNK_CHARACTERS);
      const dropped = Math.max(0, this.#window.length - SCAN_WINDOW_CHARACTERS);
      this.#window = this.#window.slice(dropped) + chunk;
      this.#start += dropped;
      this.#tokenizer.write(chunk);
    }
  }

  end(): void {
    this.#tokenizer.end();
  }

  /** Text before the window is lost: only an absurdly long token reaches back that far. */
  #slice(start: number, end: number): string {
    return this.#window.slice(Math.max(0, start - this.#start), Math.max(0, end - this.#start));
  }

  #nameAt(start: number, end: number): string {
    return end - start > NAME_CHARACTERS_MAX ? '' : this.#slice(start, end).toLowerCase();
  }

  #beginTag(tag: string): void {
    if (BREAKOUT.has(tag)) this.#foreign = 0;
    // The title of a picture is not the page's.
    this.#tag = tag === 'title' && this.#foreign > 0 ? '' : tag;
    if (tag === 'svg' || tag === 'math') this.#foreign++;
    this.#attributes = new Map();
  }

  #endTag(isSelfClosing: boolean): void {
    if (this.#tag === '') return;
    const closes = isSelfClosing && this.#foreign > 0;
    this.#handler.onOpen(this.#tag, this.#attributes);
    if (closes) this.#closeTag(this.#tag);
  }

  #closeTag(tag: string): void {
    if ((tag === 'svg' || tag === 'math') && this.#foreign > 0) this.#foreign--;
    if (tag !== '') this.#handler.onClose(tag);
  }

  #beginAttribute(name: string): void {
    this.#name = this.#wanted.has(name) ? name : null;
    this.#value = '';
  }

  #addValue(piece: string): void {
    if (this.#name === null) return;
    const room = ATTRIBUTE_CHARACTERS_MAX - this.#value.length;
    if (room > 0) this.#value += piece.slice(0, room);
  }

  #endAttribute(): void {
    if (this.#name !== null && !this.#attributes.has(this.#name)) {
      this.#attributes.set(this.#name, this.#value);
    }
    this.#name = null;
  }
}
