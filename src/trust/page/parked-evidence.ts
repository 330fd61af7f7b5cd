import { domainOfHost } from '../identity.ts';
import type { FetchedResponse } from './guarded-fetch.ts';
import { KIB } from './limits.ts';
import { namesDomain } from './parked-talk.ts';
import { BLOCK_END, Sample } from './sample.ts';
import type { Attributes } from './scanner.ts';

/** How much visible text is searched for signs of a parked page. */
const TEXT_SAMPLE_CHARACTERS = 32 * KIB;
/** How much of the scripts is searched. */
const SCRIPT_SAMPLE_CHARACTERS = 8 * KIB;
/** How many scripts, frames and style sheets have their URLs read, and how much of a URL is kept. */
const LOADED_MAX = 100;
const LOADED_CHARACTERS_MAX = 300;
const HEADINGS_MAX = 10;
const HEADING_CHARACTERS_MAX = 300;

/** No sentence continues from one of these elements to the next. */
const ITEMS: ReadonlySet<string> = new Set(['li', 'td', 'th', 'dt', 'dd', 'option']);
const ITEM_END = '|';
const BLOCKS: ReadonlySet<string> = new Set(['h1', 'h2', 'h3', 'h4', 'p']);

/** The facts in which signs of a parked page are sought. */
export interface ParkedEvidence {
  /** Registrable domains of the requested URL and of the last one, in that order; null: a URL without one. */
  requested: string | null;
  domain: string | null;
  /** The last address. */
  url: URL;
  /** Hosts of redirects and of the refresh, including the last one. */
  passed: readonly string[];
  /** URLs of scripts, frames and style sheets, with their registrable domains. */
  loaded: ReadonlyMap<string, string | null>;
  title: string;
  /** First and second headings. */
  headings: readonly string[];
  text: string;
  textCharacters: number;
  scriptText: string;
  hasScripts: boolean;
  hasImages: boolean;
  /** A mark in the page's code that only parked pages have. */
  hasParkingMark: boolean;
  /** A link or a frame leads to another site's page about this domain. */
  isNamedElsewhere: boolean;
  /** There is a link for writing or calling, or an address or telephone number near the beginning of the text. */
  hasContact: boolean;
  /** An `article` element. */
  hasArticle: boolean;
  /** A field for a password. */
  hasPassword: boolean;
  /** Registrable domains linked to. */
  linked: readonly string[];
  /** The number of linked paths of this site, other than the home page and legally required pages. */
  ownPaths: number;
}

/** Collects the signs of a parked page while it is parsed, in bounded memory. */
export class ParkedEvidenceCollector {
  readonly text = new Sample(TEXT_SAMPLE_CHARACTERS);
  readonly scriptText = new Sample(SCRIPT_SAMPLE_CHARACTERS);
  readonly #source: Pick<FetchedResponse, 'url' | 'redirects'>;
  readonly #loaded = new Map<string, string | null>();
  readonly #headings: string[] = [];
  #inHeading = false;
  #hasScripts = false;
  #hasImages = false;
  #hasMark = false;
  #hasContact = false;
  #hasArticle = false;
  #hasPassword = false;
  #isNamedElsewhere = false;
  readonly #requested: string | null;

  constructor(source: Pick<FetchedResponse, 'url' | 'redirects'>) {
    this.#source = source;
    this.#requested = domainOfHost((source.redirects[0] ?? source.url).hostname);
  }

  onOpen(tag: string, attributes: Attributes, base: URL): void {
    this.text.endWord();
    if (ITEMS.has(tag)) this.text.separate(ITEM_END);
    this.#see(tag, attributes);
    switch (tag) {
      case 'html':
        // The key of an allow list for advertisements that parking networks pay for, and the error page of a site
        // builder.
        this.#hasMark ||=
          attributes.has('data-adblockkey') || attributes.get('ng-app') === 'wixErrorPagesApp';
        return;
      case 'h1':
      case 'h2':
        this.#inHeading = this.#headings.length < HEADINGS_MAX;
        if (this.#inHeading) this.#headings.push('');
        return;
      case 'a':
        this.#hasContact ||= /^(?:mailto|tel):/i.test(attributes.get('href') ?? '');
        return this.#name(attributes.get('href'), base);
      case 'script':
        this.#hasScripts = true;
        return this.#load(attributes.get('src'), base);
      case 'frame':
      case 'iframe':
        this.#name(attributes.get('src'), base);
        return this.#load(attributes.get('src'), base);
      case 'link':
        return this.#load(attributes.get('href'), base);
      case 'meta':
        this.#hasMark ||= attributes.get('name') === 'parking';
    }
  }

  /** Records which kinds of elements the page has. */
  #see(tag: string, attributes: Attributes): void {
    this.#hasArticle ||= tag === 'article';
    this.#hasImages ||= tag === 'img';
    this.#hasPassword ||= attributes.get('type')?.toLowerCase() === 'password';
  }

  onClose(tag: string): void {
    this.text.endWord();
    if (BLOCKS.has(tag)) this.text.separate(BLOCK_END);
    if (tag === 'h1' || tag === 'h2') this.#inHeading = false;
  }

  /** A piece of visible text. */
  onText(piece: string): void {
    this.text.push(piece);
    if (!this.#inHeading) return;
    const heading = `${this.#headings.pop() ?? ''}${piece}`;
    this.#headings.push(heading.slice(0, HEADING_CHARACTERS_MAX));
  }

  #name(address: string | undefined, base: URL): void {
    if (this.#requested === null || address === undefined || this.#isNamedElsewhere) return;
    if (!address.includes(this.#requested)) return;
    const url = URL.parse(address, base.href);
    if (url === null || domainOfHost(url.hostname) === this.#requested) return;
    this.#isNamedElsewhere = namesDomain(url, this.#requested);
  }

  #load(address: string | undefined, base: URL): void {
    if (address === undefined || this.#loaded.size >= LOADED_MAX) return;
    const url = URL.parse(address, base.href);
    if (url?.protocol !== 'http:' && url?.protocol !== 'https:') return;
    this.#loaded.set(url.href.slice(0, LOADED_CHARACTERS_MAX), domainOfHost(url.hostname));
  }

  /** @param page what other collectors know about it */
  evidence(page: {
    title: string;
    refresh: string | null;
    linked: readonly string[];
    internalUrls: readonly string[];
  }): ParkedEvidence {
    const { url, redirects } = this.#source;
    const refresh = page.refresh === null ? null : URL.parse(page.refresh);
    const passed = [...redirects.slice(1), url, ...(refresh ? [refresh] : [])];
    const text = this.text.folded();
    return {
      requested: this.#requested,
      domain: domainOfHost(url.hostname),
      url,
      passed: passed.map(({ hostname }) => hostname),
      loaded: this.#loaded,
      title: page.title,
      headings: this.#headings,
      text,
      textCharacters: this.text.characters,
      scriptText: this.scriptText.folded(),
      hasScripts: this.#hasScripts,
      hasImages: this.#hasImages,
      hasParkingMark: this.#hasMark,
      isNamedElsewhere: this.#isNamedElsewhere,
      hasContact: this.#hasContact || CONTACT.test(text.slice(0, CONTACT_CHARACTERS)),
      hasArticle: this.#hasArticle,
      hasPassword: this.#hasPassword,
      linked: page.linked,
      ownPaths: ownPathsOf(page.internalUrls, url),
    };
  }
}

/** How much of the beginning of the text is searched for an address or a number. */
const CONTACT_CHARACTERS = 2_000;
/** An address to write to, or a telephone number. */
const CONTACT =
  /[\w.+-]{1,40}@[\w-]{1,60}\.[a-z]{2,}|(?:\+|(?<![\d.,$€£¥])\(?0|8 ?\()\d[\d ()./-]{6,16}\d|(?<![\d.,$€£¥ ])\d{3}[ -]\d{3}[ -]\d{2,4}(?![\d.,])/;

/** Legal pages and logins: sites that sell domains have these, too. */
const LEGAL_PATH =
  /\/(?:wp-(?:login|admin)[\w.]*|login|admin|impressum|imprint|datenschutz\w*|agb|privacy[\w-]*|terms[\w-]*|legal[\w-]*|cookies?[\w-]*|mentions-legales|confidentialite|cgv|aviso-legal|privacidad|polityka-\w+|regulamin|politika\w*|oferta)(?:\.\w+)?\/?$/i;

function ownPathsOf(urls: readonly string[], own: URL): number {
  const paths = new Set(urls.flatMap((address) => URL.parse(address)?.pathname ?? []));
  paths.delete('/');
  for (const path of paths) if (LEGAL_PATH.test(path)) paths.delete(path);
  paths.delete(own.pathname);
  return paths.size;
}
