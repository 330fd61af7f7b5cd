import { domainOfHost } from '../identity.ts';
import type { FetchedResponse } from './guarded-fetch.ts';
import { KIB } from './limits.ts';
import type { ParkedEvidence } from './parked.ts';
import { Sample } from './sample.ts';
import type { Attributes } from './scanner.ts';

/** How much visible text is searched for the signs of a parked page. */
const TEXT_SAMPLE_CHARACTERS = 32 * KIB;
/** How much of the scripts is searched. */
const SCRIPT_SAMPLE_CHARACTERS = 8 * KIB;
/** Scripts, frames and style sheets whose address is read, and the length that is kept of one. */
const LOADED_MAX = 100;
const LOADED_CHARACTERS_MAX = 300;
const HEADINGS_MAX = 10;
const HEADING_CHARACTERS_MAX = 300;

/** Collects the signs of a parked page while it is parsed, in bounded memory. */
export class ParkedEvidenceCollector {
  readonly text = new Sample(TEXT_SAMPLE_CHARACTERS);
  readonly scriptText = new Sample(SCRIPT_SAMPLE_CHARACTERS);
  readonly #source: Pick<FetchedResponse, 'url' | 'redirects'>;
  readonly #loaded = new Map<string, string | null>();
  readonly #headings: string[] = [];
  #inHeading = false;
  #hasScripts = false;
  #hasMark = false;
  #hasContact = false;

  constructor(source: Pick<FetchedResponse, 'url' | 'redirects'>) {
    this.#source = source;
  }

  onOpen(tag: string, attributes: Attributes, base: URL): void {
    switch (tag) {
      case 'html':
        // The key of an allow list for advertisements that parking networks pay for, and the error page of a builder.
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
        return;
      case 'script':
        this.#hasScripts = true;
        return this.#load(attributes.get('src'), base);
      case 'frame':
      case 'iframe':
        return this.#load(attributes.get('src'), base);
      case 'link':
        return this.#load(attributes.get('href'), base);
      case 'meta':
        this.#hasMark ||= attributes.get('name') === 'parking';
    }
  }

  onClose(tag: string): void {
    if (tag === 'h1' || tag === 'h2') this.#inHeading = false;
  }

  /** A piece of visible text. */
  onText(piece: string): void {
    this.text.push(piece);
    if (!this.#inHeading) return;
    const heading = `${this.#headings.pop() ?? ''}${piece}`;
    this.#headings.push(heading.slice(0, HEADING_CHARACTERS_MAX));
  }

  #load(address: string | undefined, base: URL): void {
    if (address === undefined || this.#loaded.size >= LOADED_MAX) return;
    const url = URL.parse(address, base.href);
    if (url?.protocol !== 'http:' && url?.protocol !== 'https:') return;
    this.#loaded.set(url.href.slice(0, LOADED_CHARACTERS_MAX), domainOfHost(url.hostname));
  }

  /** @param page what other collectors know of it */
  evidence(page: {
    title: string;
    refresh: string | null;
    linked: readonly string[];
    internalUrls: readonly string[];
  }): ParkedEvidence {
    const { url, redirects } = this.#source;
    const refresh = page.refresh === null ? null : URL.parse(page.refresh);
    const passed = [...redirects.slice(1), url, ...(refresh ? [refresh] : [])];
    return {
      requested: domainOfHost((redirects[0] ?? url).hostname),
      domain: domainOfHost(url.hostname),
      url,
      passed: passed.map(({ hostname }) => hostname),
      loaded: this.#loaded,
      title: page.title,
      headings: this.#headings,
      text: this.text.folded(),
      textCharacters: this.text.characters,
      scriptText: this.scriptText.folded(),
      hasScripts: this.#hasScripts,
      hasParkingMark: this.#hasMark,
      hasContact: this.#hasContact,
      linked: page.linked,
      ownPaths: ownPathsOf(page.internalUrls, url),
    };
  }
}

function ownPathsOf(urls: readonly string[], own: URL): number {
  const paths = new Set(urls.flatMap((address) => URL.parse(address)?.pathname ?? []));
  paths.delete('/');
  paths.delete(own.pathname);
  return paths.size;
}
