/** Below this many characters of visible text a page is tiny. */
const TINY_TEXT_CHARACTERS = 100;
/** Up to this many characters of visible text, a typical sentence of parking pages is the page's message. */
const PARKED_TEXT_CHARACTERS_MAX = 3_000;

/** Where the signs of a parked page are looked for. Texts are in lower case. */
export interface ParkedEvidence {
  /** Registrable domain of the last URL. */
  domain: string | null;
  /** Hosts of redirects, scripts, frames and the refresh. */
  hosts: readonly string[];
  title: string;
  text: string;
  textCharacters: number;
  scriptText: string;
  hasScripts: boolean;
  /** Registrable domains linked to. */
  linkedDomains: readonly string[];
}

/** Registrable domains that serve parking pages, domain markets and registrars' placeholders. */
const parkingDomains: ReadonlySet<string> = new Set(
  `above.com afternic.com atom.com bodis.com brandbucket.com cashparking.com dan.com domainmarket.com
  domainparking.ru dsparking.com epik.com expireddomains.net fabulous.com hugedomains.com namedrive.com
  parkingcrew.net parklogic.com parking-crew.com parkweb.vip rookmedia.net sav.com sedo.com sedoparking.com
  skenzo.com smartname.com squadhelp.com telderi.ru undeveloped.com uniregistry.com voodoo.com`.split(
    /\s+/,
  ),
);

/**
 * Hosts that parking pages are served from: a registrar's (`parking.reg.ru`), or a numbered host of the domain itself
 * that parking networks redirect to (`ww25.example.com`).
 */
const parkingHosts: readonly RegExp[] = [
  /^(?:parking|parked|expired|forsale|lander|parkingpage)\./,
  /^ww\d+\.[^.]+\.[^.]+$/,
];

/** Registrars and markets; a page whose links all lead to one of them is its placeholder. */
const registrars: ReadonlySet<string> = new Set(
  `beget.com dynadot.com gandi.net godaddy.com hostinger.com ionos.com jino.ru masterhost.ru namecheap.com
  namesilo.com nic.ru ovh.com porkbun.com r01.ru reg.ru regtime.net rucenter.ru spaceship.com sweb.ru
  timeweb.com timeweb.ru webnames.ru`.split(/\s+/),
);

/** Sentences of parking pages, placeholders of hosting companies and untouched servers. */
const phrases: readonly RegExp[] = [
  /домен(?:ное имя)? .{0,80}(?:прода[её]тся|выставлен(?:о)? на продажу)/,
  /прода[её]тся (?:этот |данный )?домен(?![а-яё]{3})|купить (?:этот|данный) домен(?![а-яё])/,
  // A registrar also says "купить домен" and "продажа доменов", but names no particular domain.
  /продажа (?:этого |данного )?домена(?![а-яё])|купить домен [«"]?[a-zа-яё0-9-]+\.[a-zа-яё]{2}/,
  /домен .{0,80}(?:припаркован|не прилинкован|не привязан|свободен для регистрации|делегирован)/,
  /(?:срок регистрации|регистрация) домена .{0,80}(?:ист[её]к|закончил|истекла)/,
  /срок (?:оплаты|действия) (?:хостинга|домена|услуги) (?:ист[её]к|закончил)/,
  /домен .{0,80}(?:зарегистрирован|куплен) (?:в|через|на) (?:reg\.ru|рег\.ру|nic\.ru|ru-?center|timeweb|beget)/,
  /сайт (?:временно )?(?:заблокирован|отключен|отключ[её]н) (?:хостинг|хостером|за неуплату)/,
  /сайт (?:ещ[её] )?не (?:создан|настроен|размещ[её]н|опубликован)/,
  /(?:this|the) (?:web ?site|domain)(?: name)? .{0,80}(?:is|may be|are) (?:available )?for sale/,
  /(?:buy|purchase|get|acquire) this domain/,
  /domain(?: name)? (?:is )?for sale/,
  /(?:this|the) domain .{0,80}(?:is parked|has expired|has been registered|is registered at|is pending renewal)/,
  /parked (?:free|domain|page)|domain parking|courtesy of godaddy/,
  /this page is (?:provided courtesy of|generated automatically by your registrar)/,
  /(?:interested in|make an offer (?:on|for)|inquire about) this domain/,
  /apache2? (?:ubuntu|debian|http server)? ?(?:default|test) page/,
  /welcome to (?:nginx|openresty|centos)|iis windows server|default (?:web|plesk) (?:site )?page/,
  /this account has been suspended|website (?:is )?coming soon|future home of (?:something|a)/,
];

const scriptSigns: readonly RegExp[] = [
  /location(?:\.href)?\s*=\s*["']\/lander/,
  /parkingcrew|sedoparking|bodis\.com|park_?lander|domain_?parking|cf-parking/,
];

/**
 * Whether a page is a placeholder of a domain without a site of its own. One strong sign is enough: a parking host, or a
 * typical sentence of parking pages in the title or in a short text. Of weak signs it takes two.
 */
export function isParked(evidence: ParkedEvidence): boolean {
  return hasParkingHost(evidence) || hasParkingPhrase(evidence) || weakSigns(evidence) >= 2;
}

function hasParkingHost({ domain, hosts }: ParkedEvidence): boolean {
  // A market's own home page is not parked.
  if (domain !== null && parkingDomains.has(domain)) return false;
  return hosts.some((host) => host !== domain && isParkingHost(host));
}

function isParkingHost(host: string): boolean {
  const domain = host.split('.').slice(-2).join('.');
  return parkingDomains.has(domain) || parkingHosts.some((pattern) => pattern.test(host));
}

function hasParkingPhrase({ title, text, textCharacters, scriptText }: ParkedEvidence): boolean {
  const isShort = textCharacters <= PARKED_TEXT_CHARACTERS_MAX;
  const searched = isShort ? `${title}\n${text}` : title;
  return (
    phrases.some((pattern) => pattern.test(searched)) ||
    scriptSigns.some((pattern) => pattern.test(scriptText))
  );
}

function weakSigns(evidence: ParkedEvidence): number {
  const { domain, title, textCharacters, hasScripts, linkedDomains } = evidence;
  const isPlaceholder =
    linkedDomains.length > 0 && linkedDomains.every((linked) => registrars.has(linked));
  const signs = [
    // A page that scripts fill in looks empty to us, whatever it shows.
    textCharacters < TINY_TEXT_CHARACTERS && !hasScripts,
    domain !== null && title.replace(/^www\./, '') === domain,
    isPlaceholder && domain !== null && !registrars.has(domain),
  ];
  return signs.filter(Boolean).length;
}
