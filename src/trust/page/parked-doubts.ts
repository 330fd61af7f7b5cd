import { OWN_NAME } from './parked-messages.ts';
import { sellsDomains } from './parked-services.ts';

/**
 * A long page is judged by its content, so only the beginning of its text is searched. All patterns expect
 * `plainLetters`.
 */
const SEARCHED_CHARACTERS = 900;

/**
 * Evidence that a page is not a placeholder although it mentions domains: an article, a help page, a forum, a login, a
 * shop.
 */
export function doubts(page: {
  url: URL;
  title: string;
  headings: readonly string[];
  text: string;
  hasArticle: boolean;
  hasPassword: boolean;
  requested: string | null;
  /** It mentions domains or hosting, but not in a sentence that placeholders use. */
  isOffer: boolean;
  /** This domain is for sale, or it is a registrar's page about it: other domains are offered there, too. */
  isOffered: boolean;
  /** A host tells a new customer what to do: "publish my site" is a button. */
  isHosts: boolean;
}): [sign: string, weight: number][] {
  const { title, headings } = page;
  const text = page.text.slice(0, SEARCHED_CHARACTERS);
  const isGeneral = !page.isHosts && general.test(text) && !text.includes(OWN_NAME);
  const isOwnQuestion = (line: string): boolean => !page.isHosts && asksOwnQuestion(line);
  return [
    ['title of an article', isTeaching(title) || [title, ...headings].some(isOwnQuestion) ? -1 : 0],
    // A host explains there how to publish a site.
    ['address of a help page', HELP_HOST.test(page.url.hostname) ? -1.5 : 0],
    [
      'somebody tells or asks',
      page.hasArticle || isOwnQuestion(text) || isNarrative(text) ? -1 : 0,
    ],
    ['domains in general', isGeneral ? -1.5 : 0],
    ['login', page.hasPassword ? -1.5 : 0],
    ['trade in domains', !page.isOffered && (isTrade(text) || hasTradeName(page)) ? -1.5 : 0],
  ];
}

const HELP_HOST =
  /^(?:help|helpdesk|hilfe|aide|ayuda|pomoc|spravka|support|soporte|wiki|docs?|kb|knowledge(?:base)?|faq|blog|forum|foro|status|learn|academy)\./;

/** Shops, brokers and hosting companies mention endings, other names, and services for their owners. */
function isTrade(text: string): boolean {
  const named = (text.match(OTHER_NAMES) ?? []).filter((name) => !sellsDomains(name));
  return (new Set(named).size >= 2 && !othersToo.test(text)) || findsOwners.test(text);
}
/** A seller of this name has others, too. */
const othersToo =
  /other (?:available |premium )?(?:names|domains)|more (?:names|domains)|weitere (?:[a-z]+ )?(?:domains|namen)|autres (?:noms|domaines)|otros (?:nombres|dominios)|inne (?:domeny|adresy|nazwy)|(?:другие|еще) (?:домены|имена)|其他域名/;

/** The name of a hosting company or a registrar. */
function hasTradeName(page: { requested: string | null; isOffer: boolean }): boolean {
  return page.isOffer && page.requested !== null && tradeName.test(page.requested);
}

const adviceEnd =
  /(?:what (?:now|to do)|was (?:nun|tun)|que faire|que hacer|co (?:robic|dalej)|что (?:делать|дальше)|怎么办)[?.!？]?$/;
const teaching =
  /^(?:how|what|why|when|where|was|wie|warum|wann|wo|comment|pourquoi|que |quoi|quand|como|por que|cuando|как|что|почему|зачем|когда|где|jak|co |czy|dlaczego|kiedy|如何|怎么|什么)(?![a-zа-я])/;

/** Whether a title asks a question or teaches, as titles of articles do. */
const isTeaching = (title: string): boolean =>
  teaching.test(title) ||
  adviceEnd.test(title) ||
  explains.test(title) ||
  // The name of a forum or a magazine may follow the question.
  title
    .split(/ [-–—|·] | ?: /)
    .some(
      (part, at) =>
        (at > 0 && lesson.test(part)) ||
        (part.endsWith('?') && !part.includes(OWN_NAME) && !addressed.test(part)),
    );
/** After the sentence: what it means, or what one can do about it. */
const lesson =
  /^(?:how|what|why|when|was|wie|warum|so (?:[a-z]+) (?:sie|du)|comment|pourquoi|que faire|como|que |por que|como|как|что|почему|jak|co |dlaczego)(?![a-zа-я])/;
/** A question to the owner or a buyer. */
const addressed =
  /(?<![a-zа-я])(?:this|your|you|diese[rs]?|ihre?|sie|ce|cette|votre|vous|est[ea]|su|tu|ta|tej|twoja|эт(?:от|им|ого)|ваш|вы)(?![a-zа-я])/;
/** The text that follows the sentence which an article explains. */
const explains =
  /what (?:it|this|that) means|explained|erklart|was (?:das|es) bedeutet|explique|que significa|co to znaczy|co oznacza|что это (?:значит|такое)|причины|(?<![a-zа-я])(?:forum|foro|форум|glossary|glossar|glossaire|glosario|support|help|hilfe|aide|ayuda|pomoc|справка)(?![a-zа-я])|含义|什么意思/;
/** Somebody mentions their own domain, site or provider. */
const asksOwnQuestion = (text: string): boolean =>
  /(?<![a-zа-я])(?<!(?:будет|появится) )(?:my|our old|meine?|mon(?: nom de)?|mi|moja|moj|moje|мой|моего|моя|моему) (?:old |alte |ancien |viej[oa] )?(?:domain|site(?! (?:will|is coming))|website(?! (?:will|is coming))|provider|host|registrar|hoster|anbieter|website|seite|domaine|hebergeur|site|dominio|proveedor|web|domena|dostawca|strona|домен|сайт|хостинг|провайдер)/.test(
    text,
  );
/** Land, which is also called a domain. */
export const isLand = (text: string): boolean =>
  /hectare|(?<![a-z])gites?(?![a-z])|piscine|hebergement (?:pour|insolite|de vacances)|alojamiento (?:rural|turistico|para)|casa rural|\d ?(?:ha|m²)(?![a-z])|(?<![a-z])vign(?:es?|oble)(?![a-z])|bastide|chambres|caveau|mariages|(?<![a-z])etang|(?<![a-z])bodega|na wesela/.test(
    text,
  );

/**
 * Statements about domains, sites and accounts in general, as in articles, help pages and glossaries. A placeholder is
 * about one domain.
 */
const general =
  /(?<![a-z])(?:usually|normally|often|most (?:often|of (?:them|these))|in most cases)(?![a-z])|(?<![a-z])(?:an?|every|any) (?:[a-z-]+ )?(?:domain(?: name)?|web ?site|account)(?! for sale)(?: (?:is|are|has|was|that|which|without|can|may|with|whose|stays)(?![a-z]))|(?:this|the) page (?:is shown|appears) (?:when|until|while|as long)|(?<![a-z])(?:meist(?:ens)?|gewohnlich|normalerweise|in der regel)(?![a-z])|(?<![a-z])(?:ein|eine|einer|jede) (?:[a-z-]+ )?(?:domain(?:name)?|konto|website)(?: (?:wird|ist|ohne|die|das|hat|kann|bleibt)(?![a-z]))|diese seite erscheint|(?:souvent|generalement|en general|habituellement|la plupart)(?![a-z])|(?<![a-z])un (?:nom de )?domaine (?:[a-z]+ )?(?:est|reste|expire|qui|peut|a (?!vendre|ceder)|sans)(?![a-z])|cette page s['’]affiche tant|(?<![a-z])(?:suelen?|normalmente|generalmente|a menudo|casi siempre)(?![a-z])|(?<![a-z])un dominio (?:[a-z]+ )?(?:es|ha|esta|que|puede|queda|acaba|sin)(?![a-z])|(?<![a-z])(?:zwykle|zazwyczaj|czesto|najczesciej)(?![a-z])|(?<![a-z])(?:gdy|kiedy) (?:domena|konto|strona)(?![a-z])|(?<![а-я])(?:обычно|часто|как правило|чаще всего|большинство)(?![а-я])|(?<![а-я])(?:надпись|заглушка|страница) (?:видна|появляется|показывается|означает)|通常|一般(?:来说|而言|都)|指的是|是指|(?<![a-z])(?:is called|refers to|(?:be)?zeichnet|designe|s['’]appelle|se (?:llama|refiere)|nazywa(?:my|na|ne)?)(?![a-z])|при котор|— это |называ(?:ют|ется)|don['’]t panic|keine panik|pas de panique|no pasa nada|ничего страшного|не паникуйте/;
/** Somebody tells what happened to a domain. */
const isNarrative = (text: string): boolean =>
  /(?<![a-z])(?:we (?:forgot|lost|found|had|never)|i (?:sold|bought|had|lost|asked|never)|(?:it )?cost (?:us|me)|told me|ich habe|hat mir|j['’]ai|m['’]a|hemos|tuve|compre (?:el|un)|me (?:dijo|cost[oa])|kupil(?:em|am)|zapomni)(?![a-z])|(?<![а-я])(?:я (?:купил|продал|потерял)|мы (?:забыли|потеряли|купили))/.test(
    text,
  );

/** Removes denials, such as that a domain is not for sale. */
export const withoutDenials = (text: string): string => text.replace(DENIED, ' ');
const DENIED =
  /(?<![a-zа-я])(?:not|never|nicht|pas|nie jest|не) (?:for sale|zum verkauf|zu verkaufen|a vendre|en vente|na sprzedaz|прода[её]тся|для продажи)|no esta (?:en venta|a la venta)|n['’]est pas (?:a vendre|en vente)|steht nicht zum verkauf/g;

/** Names of other sites, and endings. */
const OTHER_NAMES =
  /(?<![\p{L}\w@.§/-])(?:[\p{L}\d-]{2,63})?\.(?:com|net|org|eu|info|io|ru|рф|de|fr|es|pl|uk|co\.uk|cn)(?![\w.])/gu;
const findsOwners =
  /(?:contact|write to|find|approach|speak to) (?:the|its) owner|sprechen mit dem inhaber|(?:kontaktieren|finden) (?:wir )?den inhaber|contactons le (?:proprietaire|titulaire)|contactamos (?:con )?(?:el|al) (?:dueno|titular|propietario)|kontaktujemy sie z wlascicielem|(?:найдем|свяжемся с) владельц/;
const tradeName = /host(?!al|el|ess|ia|il)|domain(?!e[sd]|e-)|domen|server|registr/;
