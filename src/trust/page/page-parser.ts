import { domainOfHost } from '../identity.ts';
import { DeclaredLanguage } from './declared-language.ts';
import type { PageFacts } from './facts.ts';
import type { FetchedResponse } from './guarded-fetch.ts';
import { HiddenTracker, hides } from './hidden.ts';
import { LinkCollector } from './links.ts';
import { PageDecoder } from './page-decoder.ts';
import { ParkedEvidenceCollector } from './parked-evidence.ts';
import { isParked } from './parked.ts';
import { robotsHeaderForUs } from './robots-rules.ts';
import { BLOCK_END } from './sample.ts';
import { SitePagesCollector } from './site-pages.ts';
import { Scanner, type Attributes, type ScanHandler } from './scanner.ts';
import { TitleCollector } from './title.ts';

const ATTRIBUTES: ReadonlySet<string> = new Set(
  'href,rel,name,type,property,content,http-equiv,lang,xml:lang,src,style,hidden,data-adblockkey,ng-app'.split(
    ',',
  ),
);
/** Any of these elements makes a text an HTML page. */
const HTML_ELEMENTS: ReadonlySet<string> = new Set(
  'html,head,body,title,meta,link,script,style,div,p,a,span,table,h1,h2,h3,ul,ol,li,img,center,font,frameset,frame,iframe,form,br,hr,article,section,main,header,footer,nav,b,i,pre,noscript'.split(
    ',',
  ),
);
/** Elements whose text is not shown. */
const UNSEEN: ReadonlySet<string> = new Set('script,style,template,textarea,noframes'.split(','));

/** What is known about a page besides its body. */
type PageSource = Pick<FetchedResponse, 'url' | 'headers' | 'redirects'>;

/** Extracts the facts of one page while its bytes arrive, in bounded memory. */
export class PageParser implements ScanHandler {
  readonly #source: PageSource;
  readonly #domain: string | null;
  readonly #decoder: PageDecoder;
  readonly #scanner: Scanner;
  readonly #links: LinkCollector;
  readonly #hidden = new HiddenTracker();
  readonly #title = new TitleCollector();
  readonly #parked: ParkedEvidenceCollector;
  readonly #sitePages = new SitePagesCollector();
  readonly #language = new DeclaredLanguage();
  #base: URL;
  #hasBase = false;
  #titleState: 'before' | 'inside' | 'after' = 'before';
  #unseen: string | null = null;
  #isHtml = false;
  #refresh: string | null = null;
  #nofollow = false;

  constructor(source: PageSource) {
    this.#source = source;
    this.#base = source.url;
    this.#domain = domainOfHost(source.url.hostname);
    this.#decoder = new PageDecoder(source.headers['content-type']);
    this.#scanner = new Scanner(ATTRIBUTES, this);
    this.#links = new LinkCollector(this.#domain);
    this.#parked = new ParkedEvidenceCollector(source);
    this.#language.add('header', source.headers['content-language']);
    this.#readRobots(robotsHeaderForUs(String(source.headers['x-robots-tag'] ?? '')));
  }

  push(bytes: Uint8Array): void {
    this.#scanner.write(this.#decoder.push(bytes));
  }

  /** The facts; call it after the last bytes. */
  end(): PageFacts {
    this.#scanner.write(this.#decoder.end());
    this.#scanner.end();
    this.#links.end();
    this.#sitePages.end();
    const links = this.#links.sites(this.#nofollow);
    const { title } = this.#title;
    const refresh = this.#refresh;
    const internalUrls = this.#links.internalUrls();
    const linked = links.map(({ domain }) => domain);
    return {
      html: this.#isHtml,
      title: title === '' ? null : title,
      language: this.#language.language,
      languageSource: this.#language.language === null ? null : 'declared',
      pages: this.#sitePages.pages,
      links,
      internalUrls,
      nofollow: this.#nofollow,
      refresh,
      parked: isParked(this.#parked.evidence({ title, refresh, linked, internalUrls })),
      features: this.#links.features(),
    };
  }

  /** The beginning of the visible text, after the title. */
  get text(): string {
    return `${this.#title.title}. ${this.#parked.text.folded().replaceAll(BLOCK_END, '')}`;
  }

  onOpen(tag: string, attributes: Attributes): void {
    if (HTML_ELEMENTS.has(tag)) this.#isHtml = true;
    this.#hidden.open(tag, attributes);
    this.#parked.onOpen(tag, attributes, this.#base);
    if (this.#unseen === null && UNSEEN.has(tag)) this.#unseen = tag;
    switch (tag) {
      case 'a':
      case 'area':
        return this.#openLink(tag, attributes);
      case 'title':
        // A title inside a template is only inserted by scripts.
        if (this.#titleState === 'before' && this.#unseen !== 'template') {
          this.#titleState = 'inside';
        }
        return;
      case 'html':
        this.#language.add('lang', attributes.get('lang'));
        return this.#language.add('xml:lang', attributes.get('xml:lang'));
      case 'base':
        return this.#readBase(attributes.get('href'));
      case 'meta':
        return this.#readMeta(attributes);
    }
  }

  onClose(tag: string): void {
    this.#hidden.close(tag);
    this.#parked.onClose(tag);
    if (this.#unseen === tag) this.#unseen = null;
    if (tag === 'a') this.#endLink();
    if (tag === 'title' && this.#titleState === 'inside') this.#titleState = 'after';
  }

  onText(text: string): void {
    if (this.#titleState === 'inside') return this.#title.push(text);
    if (this.#unseen === 'script') return this.#parked.scriptText.push(text);
    if (this.#unseen !== null) return;
    this.#links.text(text);
    this.#sitePages.text(text);
    if (!this.#hidden.hidden) this.#parked.onText(text);
  }

  #openLink(tag: string, attributes: Attributes): void {
    const href = attributes.get('href');
    if (href === undefined) return;
    this.#endLink();
    const url = URL.parse(href, this.#base.href);
    if (url === null) return;
    const isHidden = this.#hidden.hidden || hides(attributes);
    const isOwn = this.#links.begin(url, attributes.get('rel') ?? '', isHidden);
    this.#sitePages.begin(url, isOwn);
    if (tag === 'area') this.#endLink();
  }

  #endLink(): void {
    this.#links.end();
    this.#sitePages.end();
  }

  #readBase(href: string | undefined): void {
    if (this.#hasBase || href === undefined) return;
    this.#hasBase = true;
    const url = URL.parse(href, this.#source.url.href);
    if (url?.protocol === 'http:' || url?.protocol === 'https:') this.#base = url;
  }

  #readMeta(attributes: Attributes): void {
    const content = attributes.get('content') ?? '';
    if (attributes.get('property')?.toLowerCase() === 'og:locale') {
      this.#language.add('og:locale', content);
    }
    const name = (attributes.get('name') ?? attributes.get('http-equiv') ?? '').toLowerCase();
    if (name === 'robots' || name === 'zastavabot') this.#readRobots(content);
    else if (name === 'content-language') this.#language.add('meta', content);
    else if (name === 'refresh') {
      const target = /^\s*[\d.]+\s*[;,]\s*(?:url\s*=\s*)?["']?([^"']+)/i.exec(content)?.[1];
      this.#refresh ??= this.#absolute(target?.trim());
    }
  }

  #readRobots(content: string): void {
    const words = content.toLowerCase().split(/[\s,;:]+/);
    if (words.includes('nofollow') || words.includes('none')) this.#nofollow = true;
  }

  #absolute(href: string | undefined): string | null {
    const url = href === undefined ? null : URL.parse(href, this.#base.href);
    return url?.protocol === 'http:' || url?.protocol === 'https:' ? url.href : null;
  }
}
