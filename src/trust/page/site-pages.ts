import { plainLetters } from './parked-messages.ts';

/** Pages on which a site says who is behind it and what it does with data; null: its home page does not link to one. */
export interface SitePages {
  /** How to contact it: a page, or a `mailto:` or `tel:` URL. */
  contact: string | null;
  /** How it handles personal data. */
  privacy: string | null;
  /** Who is responsible for it. */
  imprint: string | null;
}

const ADDRESS_CHARACTERS_MAX = 500;
const TEXT_CHARACTERS_MAX = 100;

interface Marks {
  text: RegExp;
  path: RegExp;
}

/** Recognised by the text of a link, without diacritics, and by its path. */
const marks: Record<keyof SitePages, Marks> = {
  contact: {
    text: /^(?:contacts?|contact us|contact (?:details|info|form)|get in touch|kontakt(?:y|i|e)?|kontaktformular|контакт(?:ы|и|на информация)?|наши контакты|наші контакти|обратная связь|связаться с нами|напишите нам|зворотн\S+ зв.язок|contacto|contactenos|contato|contactos|contatti|contattaci|nous contacter|contactez-nous|iletisim|bize ulasin|お問い合わせ|联系我们)$/,
    path: /\/(?:contacts?|contact[-_]?us|contactos?|contato|contatti|kontakt[yi]?|kontakte|kontaktformular|contactez-nous|nous-contacter|iletisim|feedback)(?:\.\w+)?\/?$/,
  },
  privacy: {
    text: /privacy|datenschutz|конфиденциальност|конфіденційн|персональн\S+ данн|confidentialite|donnees personnelles|privacidad|privacidade|prywatnosc|informativa sulla|gizlilik|ochrana osobnich|隐私|プライバシー/,
    path: /\/(?:[\w-]*privacy[\w-]*|datenschutz\w*|[\w-]*(?:konfidencial|confidential|confidencial)[\w-]*|personal-data|politika-obrabotki[\w-]*|[\w-]*privacidade?|[\w-]*prywatnosci?|gizlilik[\w-]*)(?:\.\w+)?\/?$/,
  },
  imprint: {
    text: /^(?:impressum|imprint|legal notice|legal information|site notice|mentions legales|aviso legal|note legali|реквизиты(?: компании| организации)?|сведения об организации|правовая информация|kunye|特定商取引法に基づく表記)$/,
    path: /\/(?:impressum|imprint|legal-?notice|mentions-legales|aviso-legal|note-legali|rekvizit[iy]|requisites|sveden)(?:\.\w+)?\/?$/,
  },
};
const kinds = Object.keys(marks) as (keyof SitePages)[];

/** Finds these pages among the links of a home page. */
export class SitePagesCollector {
  readonly #found: SitePages = { contact: null, privacy: null, imprint: null };
  /** How to write or call, if no page says so. */
  #direct: string | null = null;
  #open: { url: URL; text: string } | null = null;

  /** Begins a link. @param isOwn whether it leads to a page of this site */
  begin(url: URL, isOwn: boolean): void {
    if (url.href.length > ADDRESS_CHARACTERS_MAX) return;
    if (isOwn) this.#open = { url, text: '' };
    else if (url.protocol === 'mailto:' || url.protocol === 'tel:') this.#direct ??= url.href;
  }

  text(piece: string): void {
    if (this.#open && this.#open.text.length < TEXT_CHARACTERS_MAX) this.#open.text += piece;
  }

  end(): void {
    const link = this.#open;
    this.#open = null;
    if (!link) return;
    const text = plainLetters(link.text.slice(0, TEXT_CHARACTERS_MAX)).replace(/[\s:.›»→]+$/, '');
    const path = link.url.pathname.toLowerCase();
    for (const kind of kinds) {
      if (marks[kind].text.test(text) || marks[kind].path.test(path)) {
        this.#found[kind] ??= link.url.href;
      }
    }
  }

  get pages(): SitePages {
    return { ...this.#found, contact: this.#found.contact ?? this.#direct };
  }
}
