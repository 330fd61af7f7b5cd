import { isLand } from './parked-doubts.ts';
import { OWN_NAME } from './parked-messages.ts';

/** A longer text says more than a placeholder does. */
const CHARACTERS_MAX = 900;
/** The least share of a placeholder's text that is about its name, its hosting or its sale. */
export const SHARE_MIN = 0.55;

/** Words of a sale, in eight languages; all patterns expect `plainLetters`. */
const sale =
  /for sale|make it yours|(?:fair|best|asking|our) price|quick transfer|this name|buy (?:it |this )?now|offers?(?![a-z])|asking price|lease to own|escrow|purchase|acquir|[ei]nquir|seller|broker|verkauf|kaufen|erwerben|gekauft|angebot|(?<![a-z])gebot|kaufpreis|preis(?![a-z])|preisvorstellung|treuhand|abzugeben|a vendre|(?<![a-z])ceder|en vente|acheter|acquerir|(?<![a-z])offre|(?<![a-z])prix|vendeur|acheteur|en venta|a la venta|se vende|(?<![a-z])comprar|(?<![a-z])oferta|precio|vendedor|comprador|sprzeda|do kupienia|(?<![a-z])kup(?![a-z])|kupic|(?<![a-z])oferte|(?<![a-z])cena|(?:вы)?куп(?:ить|ите|ля|ки)|прода[юемж]|(?<![а-я])цен[аыу](?![а-я])|предлож(?:ит|ени)|(?<![а-я])сделк|auction|(?<![a-z])bid(?:s|ding)?(?![a-z])|serious inquir|looking for a new (?:owner|home)|sucht (?:einen )?neuen (?:besitzer|inhaber|eigentumer)|cherche (?:un )?(?:nouveau )?proprietaire|busca (?:un )?(?:nuevo )?(?:dueno|propietario)|szuka (?:nowego )?wlasciciela|ищет (?:нового )?(?:владельца|хозяина)|хорошие руки|(?<![а-я])отдам|proposition|transfert|brandable|\.com for your|zum festpreis|versteiger|encheres?(?: en cours| actuelle)?|subasta|aukcj|gield|odstap|kwote|стоимост|аукцион|передам|имя для ваш|уступ|traspas[ao]|(?:would like|want|wish|love) to (?:have|own) §|разумн[а-я]+ деньги|trenne mich|part with|me separe de|me desprendo|pozbywam|расста(?:юсь|нусь|ться)|dites-nous combien|how much|wer sie haben|(?:price|preis|prix|precio|cena|цена) (?:on request|auf anfrage|sur demande|a consultar|do uzgodnienia|по запросу)|выставлен|(?<![а-я])ставк|oddam|(?<![a-z])buyer|kaufer(?![a-z])|acquereur|preneur|(?<![a-z])kupca|покупател|propuesta|propozycj|(?:could|can|may) be yours|peut etre a vous|puede ser (?:tuy|suy)[oa]|moze byc (?:twoja|twoj)|(?:может стать|станет) вашим|出售|拍卖|一口价|卖家|转让|购买|报价|售价|议价|价格|有意/;

/** Words that say why the page exists. */
const reason =
  /you(?:['’]re| are)? (?:see(?:ing)?|read(?:ing)?) this(?! (?:book|blog|article))|(?:wenn|falls) sie (?:das|dies) (?:lesen|sehen)|si vous (?:lisez|voyez) (?:ceci|cela|cette page|ce message)|si (?:ves|lees|puedes ver) esto|jesli (?:to )?(?:czytasz|widzisz)|если вы (?:это )?(?:читаете|видите)|this page (?:will|is (?:shown|displayed|generated|automatically|a placeholder))|default (?:page|index|website)|placeholder|diese seite (?:wird|sehen)|automatisch (?:angelegt|erzeugt|erstellt|generiert)|platzhalter|standardseite|verschwindet|cette page (?:s['’]affiche|disparai|est affichee)|page par defaut|page d['’]attente|esta pagina (?:se muestra|aparece|desaparece)|(?:pagina|sitio) por defecto|viendo esta pagina|ta strona jest wyswietlana|widzisz te strone|strona (?:domyslna|zastepcza|startowa)|страница (?:создана|отображается|показана|показывается|появилась|исчезнет)|заглушк|по умолчанию|видите эту страницу|(?:instead of|replac(?:e|es|ing)|change) this page|(?:remplace[rz]|ersetzen sie|reemplac[ea]|sustituy[ae]|zastap|замените|swap) (?:this|cette|diese|esta|te|эту)|aby ja zastapic|(?:ta )?strona (?:ta )?zniknie|cette page disparait|(?:temporary|holding|standard|stock) page|page (?:temporaire|standard)|(?:temporare|vorlaufige) seite|pagina temporal|strona (?:tymczasowa|standardowa)|(?:стандартная|временная) страница|statt dieser seite|a la place de cette page|en lugar de esta pagina|zamiast tej strony|вместо (?:этой|данной) страницы|默认(?:页|首页|index)|系统自动/;

/** Topics of placeholders besides their domain. */
const topics: readonly RegExp[] = [
  sale,
  // Hosting, a registrar, a server.
  /wordpress|httpdocs|\/var\/www|site builder|website builder|baukasten|creador de (?:sitios|webs|paginas)|kreator|createur de sites?|(?:faute de|defaut de|falta de|wegen|non-?|за) ?(?:reglement|paiement|payment|pago|nichtzahlung|неуплат)|hosting|hosted (?:by|at|on|with)|web ?space|control panel|(?:index|default)\.(?:html?|php)|public_html|ht(?:tp)?docs|(?<![a-z])ftp(?![a-z])|(?<![a-z])dns(?![a-z])|name ?servers?(?![a-z])|cpanel|plesk|web ?server|http server|registrar|registrant|whois|billing|provider(?![a-z])|anbieter|kunden(?:bereich|center|menu|konto)|hebergement|hebergeur|espace client|(?:depuis|dans|sur) votre compte|bureau d['’]enregistrement|alojamiento|alojad[oa]|panel de control|area de cliente|servidor|proveedor|hostingow|panel(?:u)? klienta|panelu|serwer|rejestrator|хостинг|провайдер|панел[ьи] управления|конструктор(?:у|е|ом)?(?![а-я])|личн(?:ый|ом|ого) кабинет|сервер|регистратор|делегир|(?<![а-я])whois|renew|verlanger|renouvel|renuev|renov|przedluz|odnow|продл|续费|1blu|all-inkl|dhosting|webempresa|nethouse|shopify|hostmonster|vesta(?![a-z])|beget|timeweb|рег\.ру|(?<![a-z])reg\.ru|ru-center|(?<![a-z])nic\.ru|spaceweb|sweb\.ru|jino\.ru|джино|hostinger|godaddy|namecheap|porkbun|(?<![a-z])ionos|(?<![a-z])strato(?![a-z])|united-domains|netcup|hetzner|(?<![a-z])ovh|(?<![a-z])gandi|o2switch|(?<![a-z])lws|(?<![a-z])arsys|dondominio|cdmon|raiola|home\.pl|nazwa\.pl|(?<![a-z])az\.pl|aftermarket|seohost|weebly|squarespace|(?<![a-z])wix(?![a-z])|(?<![a-z])tilda|(?<![a-z])sedo(?![a-z])|afternic|hugedomains|network solutions|register\.com|bluehost|hostgator|dreamhost|fasthosts|loopia|infomaniak|阿里云|腾讯云|西部数码|新网|万网|contact (?:your|the|our) (?:hosting|provider|host|support)|contact support|an (?:den|unseren) support|(?:contactez|contacter) le support|(?:al|con) soporte|с поддержкой|в (?:службу )?поддержк|invoice|faktur|zaleglosc|(?:facturas?|pagos?) pendiente|impaye|zahlungsruckstand|задолженност|verzeichnis|(?:this|your|the|www|root) (?:directory|folder)|repertoire (?:www|htdocs|racine)|папк[аеу]|rechnung|vertrag|abonamentow|oplat[yae](?![a-z])|(?<![a-z])factur|contrat|umow|счет|оплат|баланс|тариф|договор|файл(?:ы|ов) (?:своего|вашего)? ?сайт|主机|虚拟|服务器|服务商|解析|备案|注册商|控制面板/,
  // It addresses the owner.
  /if you (?:are|own|re|manage|run|administer|registered)|if you['’]re|are you the|(?:site|domain|website|account)(?:['’]s)? (?:owner|administrator|holder)|is this your|if (?:this|it) is you|if it['’]s yours|do you own|webmaster|inhaber|(?:wenn|falls|sind) sie (?:der |die )?(?:betreiber|administrator|eigentumer|domain)|si (?:ce|c['’]est) (?:site|domaine)? ?(?:est|votre)|proprietaire|titulaire|propietari|titular(?![a-z])|es usted|si es (?:tuy|suy)[oa]|eres (?:el|la)|si este es|если (?:вы|это)|вы (?:владелец|администратор)|владел(?:ец|ьц)|администратор|administratorz|wlascicie|abonent|jesli (?:jestes|to)|jezeli (?:jestes|to)|jestes|i (?:own|registered) (?:it|this)|est a moi|(?:guardo|conservo) (?:el|este) nombre|adres zajety|имя занято|der kunde (?:wurde|ist)|(?:keep|hold|own|reserv)(?:s|ing|ed)? (?:it|this|the (?:name|address))|(?:for|nur fur|pour (?:le|les|nos)|solo para|tylko do) (?:our |family |el |die )?(?:e-?mails?|courriers?|correo|poczty)|(?:le nom|die adresse|el nombre) (?:sert|gehort|se usa)|только для почты|для почты|придерж|trzymamy|(?:se (?:usa|utiliza)|is (?:only )?used|wird (?:nur )?(?:benutzt|verwendet|genutzt)|jest uzywan[ay]|используется) (?:only |solo |nur |tylko |только )?(?:for|para|fur|do|для) (?:our |el |die )?(?:e-?mails?|correo|poczty|почты)|如果您|如果你|您是|站长|所有者|管理员/,
  // It says that nothing is there yet.
  /not (?:yet|been)|n['’]t uploaded|veroffentlich|pas de site|no (?:tenemos|hay) (?:todavia )?(?:pagina|web|sitio)|strony (?:jeszcze )?nie ma|сайта (?:пока |еще )?нет|nobody has (?:put|uploaded)|(?:kommt|passiert) hier|hier kommt|habra algo|rien ici|l['’]idee viendra|na przyszlosc|на будущее|to (?:the )?public|one day|someday|eines tages|(?<![a-z])un jour(?![a-z])|algun dia|(?<![a-z])kiedys|когда-нибудь|руки дойдут|(?:тут|здесь) будет|something here|(?:your|vos|ihre|tus|sus|swoje|wlasne) (?:files|fichiers|pages|dateien|archivos|ficheros|pliki)|nichts zu sehen|(?:hier|da) (?:gibt es|ist|steht) (?:noch )?nichts|(?<![a-z])vide(?![a-z])|rien a voir|il n['’]y a rien|nada que ver|aqui no hay|tu nic nie ma|nic tu nie ma|ничего нет|on (?:its|the) way|in (?:the works|progress)|in (?:arbeit|vorbereitung)|en (?:preparation|camino)|w drodze|готовится|kein(?:e|en)? (?:webspace|inhalte?|website)|(?:has|have|is|are)n['’]t (?:yet|been)|no (?:content|website|web ?site|web ?page|files)|nothing (?:is )?(?:here|there|to see)|(?<![a-z])empty(?![a-z])|coming soon|(?:will|going to) be (?:here|available|online|live|ready|published|launched)|under construction|check back|stay tuned|worked on|being (?:built|prepared|created)|just created|almost (?:here|ready|there)|upload (?:your|the) (?:web ?site|site|files|content)|publish your|laden sie ihre|hochladen|hochgeladen|noch (?:nicht|nichts|kein|leer)|in kurze|demnachst|(?<![a-z])bald(?![a-z])|entsteht|im aufbau|en construction|pas encore|(?:n['’]a|aucun)[a-z]* (?:encore|site|contenu|page)|bientot|prochainement|(?:deposez|transferez) vos fichiers|publiez votre|en construccion|proximamente|todavia no|aun no|(?<![a-z])pronto(?![a-z])|sin contenido|sub[aei]r? (?:tu|su)s? (?:archivos|web|sitio|pagina)|borr[ae] el archivo|no hay nada|vaci[oa]|publi(?:ca|que) (?:tu|su)|jeszcze nie|nie (?:ma|zostal[ao]?|posiada) jeszcze|nie ma tu|wkrotce|powsta(?:nie|je)|wgraj|opublikuj|w budowie|w przygotowaniu|w trakcie (?:konfiguracji|tworzenia)|(?:еще|пока) не|пока (?:нет|пуст)|(?<![а-я])скоро(?![а-я])|в ближайшее время|в разработке|здесь (?:будет|появится)|на этом месте|загрузите (?:его |их |свои? )?(?:файлы|сайт|страниц)|опубликуйте|опубликовать|назначьте|建设中|即将|敬请期待|尚未|暂无|还没有|未绑定|没有找到站点/,
  reason,
];

/** A noun that makes a sentence one about domains. */
const domainNoun =
  /(?<![a-z])domain(?:s|name)?(?![a-z])|nom de domaine|ce domaine|nombre de dominio|este dominio|домен|(?<![a-z])domen[aeyi](?![a-z])|域名/;

/** An amount of money; it proves nothing alone, but is part of an offer. */
const price = /[$€£¥￥₽] ?\d|\d ?(?:[$€£₽元]|usd|eur|руб|zl(?![a-z])|pln|chf|грн)/;

/** The page's own domain, site, account or server, in words that mean this one. */
const THIS =
  `${OWN_NAME}|(?:this|your) (?:[a-z-]+ )?(?:domain|web ?site|site|web ?page|page|web ?address|address|name|shop|store|hosting|server|web ?space|space|host)(?![a-z])` +
  '|(?<!(?<![a-z])(?:a|an|any|my) )(?<![a-z])domain(?: name)?(?= (?:has|is|was) )|(?:the|your) (?:requested |new )?(?:site|page|web ?page)(?![a-z])|(?:the|your) (?:requested |new )?(?:domain(?: name)?|web ?site|hosting (?:account|plan|service))(?![a-z])|this account(?![a-z])' +
  '|(?:dies|ihr|dein)(?:e[rmns]?)? (?:neue[rsmn]? )?(?:domain(?:name)?|prasenz|web(?:site|seite|prasenz|auftritt|space|hosting)|internet(?:seite|prasenz|adresse|auftritt)|adresse|seite|homepage|hosting[a-z-]*|paket|server)(?![a-z])|dies(?:es|er) (?:account|konto)(?![a-z])|die domain(?![a-z])' +
  '|(?:ce|cet|cette|votre|notre client|le) (?:nom de domaine|site(?: web| internet)?|page|adresse|hebergement|serveur|espace)(?![a-z])|ce compte|(?:ce|votre) (?:domaine|nom)(?![a-z])' +
  '|(?:est[ea]|su|tu|el|la) (?:nombre de dominio|dominio(?! de )|espacio(?: web)?|sitio(?: web)?|pagina(?: web)?|web|direccion|alojamiento|hosting|servidor)(?![a-z])|esta cuenta' +
  '|(?:t[aęeoy]n?|tej|tym|twoj[ae]?|panstwa) (?:domen[aeęyi]?|stron[aeęyi]|witryn[aeęyi]|adres(?:em)?|konto|serwer)(?![a-z])|(?<![a-z])domena(?![a-z])|pod tym adresem|(?<![a-z])(?:konto|usluga|strona|serwis)(?![a-z])' +
  '|(?<![а-я])(?:домен(?:а|у|ом|е|ное имя|ного имени)?|сайт(?:а|у|ом|е)?|(?:аккаунт|учетная запись|виртуальный хостинг))(?![а-я])|услуга(?: хостинга)?|по этому адресу|(?:этот|данный|ваш) (?:адрес|ресурс|хостинг|сервер)' +
  '|(?:此|该|本|这个|您的|你的|您访问的)(?:域名|网站|站点|网页|页面|空间|主机)|域名';

/** Statements about it. */
const STATE =
  "registered|taken|mapped|point(?:s|ed|ing) (?:at|to)|claimed|worked on|not found|not here|unavailable|terminated|cancelled|auction|assigned|locked|awaiting|pending|created|activated|is (?:now )?(?:active|ready|set up)|parked|parking|reserved|expired|lapsed|suspended|deactivated|disabled|blocked|inactive|unpaid|n[’']t uploaded|not (?:yet )?(?:been )?(?:available|public|active|connected|configured|published|set up|linked|attached|pointed|assigned|associated|live|ready|in use|launched|built|uploaded|renewed)|isn[’']t (?:yet )?(?:connected|configured|published|set up|live|ready)|for sale|available (?:for|to)|(?:might|may|could) be available|works(?![a-z])|(?:is|now) working|up and running|up for (?:sale|grabs)|offers?(?![a-z])|lease|coming soon|under construction|being (?:built|set up|prepared|configured)|placeholder|holding page|default page|just been|newly|no (?:content|web ?site|files)|yours" +
  '|angelegt|erzeugt|hinterlegt|vergeben|angeboten|zugeordnet|zugewiesen|ausgelaufen|nicht (?:gefunden|vorhanden|verfugbar)|noch leer|funktioniert|bereit(?![a-z])|inaktiv|aufgeschaltet|auktion|registriert|reserviert|geparkt|abgelaufen|gesperrt|deaktiviert|gekundigt|freigeschaltet|eingerichtet|konnektiert|nicht (?:mehr )?(?:verknupft|konfiguriert|veroffentlicht|aktiv|erreichbar|verbunden|verlangert)|kein(?:e|en)? (?:inhalt|website|webseite|webprasenz)|verkauf|zu haben|kaufen|gekauft|erwerben|abzugeben|entsteht|im aufbau|in vorbereitung' +
  '|introuvable|echeance|interromp|relie a aucun|fonctionne|(?<![a-z])vide(?![a-z])|indisponible|resilie|disponible|installe|heberge|enregistre|reserve(?!r)|parque|expire|suspendu|desactive|bloque|cree(?![a-z])|active(?![a-z])|actif|pas (?:encore )?(?:ete )?(?:active|configure|publie|en ligne|associe|relie|rattache|disponible)|a vendre|(?<![a-z])ceder|en vente|acheter|acquerir|en construction|en (?:cours de )?(?:preparation|creation)|renouvele|libre|(?<![a-z])pret(?![a-z])|aucun (?:site|contenu)' +
  '|no encontrad|venci|funciona|esta vaci|disponible|cancelad|pendiente|vencid|alojad|subasta|(?<![a-z])activ[oa]|registrad|reservad|aparcad|estacionad|caducad|expirad|suspendid|desactivad|bloquead|inactiv|no (?:se )?(?:esta|ha|han|fue)(?: sido)? (?:[a-z]+ )?(?:publicad|configurad|asociad|conectad|activ|disponible)|en venta|a la venta|se vende|comprar|ofertas?|en construccion|sin contenido|sub[ae] (?:tus|sus) archivos|publi(?:ca|que) (?:tu|su)|renovad|creado' +
  '|uruchomion|podpiet|(?<![a-z])minal|nie (?:znaleziono|istnieje|dziala|obsluguje)|brak (?:konfiguracji|strony)|w trakcie|niedostepn|nieoplacon|aukcj|odstapi|zarejestrowan|zarezerwowan|zaparkowan|wygasl|zawieszon|zablokowan|nieaktywn|wylaczon|utrzymywan|nie (?:jest|zostal[ao]) (?:jeszcze )?(?:podlaczon|skonfigurowan|opublikowan|przypisan|skierowan|powiazan|oplacon)|skierowan|dziala|gotow|na sprzedaz|sprzeda|do kupienia|w budowie|w przygotowaniu|dodan|utworzon' +
  '|не найден|перемещен|перенесен|работает|готов|недоступ|удален|аннулирован|привязан|прикреплен|направлен|создан|активирован|размещен|оплач|аукцион|зарегистрирован|припаркован|забронирован|зарезервирован|истек|закончил|просрочен|заблокирован|приостановлен|отключен|деактивирован|не (?:был[ао]? )?(?:прилинкован|привязан|подключен|настроен|опубликован|создан|размещен|активирован|оплачен|найден|обслуживается|продлен|направлен|делегирован)|делегирован|подключен|добавлен|прода[её]|ищет (?:нового )?владельца|на продажу|выкуп|освобод|в разработке|в стадии|(?:только что|успешно|недавно) (?:создан|добавлен|зарегистрирован|куплен)|скоро (?:появится|откро)|(?:купить|аренд)' +
  '|停止|停用|未备案|可出售|不存在|无法访问|拍卖|注册|停放|过期|到期|暂停|关闭|未绑定|未解析|尚未|出售|转让|建设|创建成功|续费|保留';

const anchored = new RegExp(
  `(?:${THIS})[^.!?…|。！？]{0,60}?(?:${STATE})|(?:${STATE})[^.!?…|。！？]{0,30}?(?:${THIS})`,
  'u',
);

/** A shop that is being worked on will return; titles that ask or teach belong to articles. */
const notAPlaceholder =
  /maintenance|as (?:usual|always)|wie (?:gewohnt|immer)|comme d['’]habitude|como siempre|jak zwykle|как (?:обычно|всегда)|照常|be (?:right )?back|(?<!(?:check|come|look|visit|call|pop|drop)(?:ing)? )back (?:soon|shortly|online)|wartung|gleich (?:wieder|zuruck)|mantenimiento|volvemos|technisch|техническ|профилактик|вернемся|przerw[aęy]|konserwac|维护|升级/;
/** A time of day with a preposition. A page that says when something begins or opens is about more than its domain. */
const hour =
  /(?<![a-zа-я])(?:a|at|um|von|ab|de|o|od|w|в|с) (?:1?\d|2[0-3])(?: ?h(?:\d\d)?(?![a-z])| ?uhr|[:.][0-5]\d(?!\d)| ?[ap]\.?m(?![a-z]))/;

/** The URL of a market's, a registrar's or a landing page about one domain. */
export function namesDomain(url: URL, domain: string): boolean {
  const name = domain.replaceAll('.', '\\.');
  const key = '(?:domain(?:_?name)?|domena|dominio|domaine|dn|d|name|host)';
  const folder =
    '(?:domains?|buy-domain|domena|domeny|dominio|names?|lots?|offers?|for-?sale|lander)';
  return new RegExp(`[?&]${key}=${name}(?:&|$)|/${folder}/${name}(?:[/?]|$)`).test(
    `${url.pathname}${url.search}`.toLowerCase(),
  );
}

/** What else is known about the page. */
export interface Surroundings {
  /** Pages of the same site to which it links. */
  ownPaths: number;
  /** There is nothing else: no links and nobody to write to. */
  isBare: boolean;
}

/**
 * How far a short page is about nothing but its domain: 0 to 2. A language has as many sentences as it has registrars,
 * but their topics are always the same.
 *
 *
 * @param title and text are normalised: `plainLetters`, and `OWN_NAME` for the site's names
 */
export function talkWeight(title: string, text: string, page: Surroundings): number {
  const whole = `${title}. ${text}`;
  // A title alone may be the name of an application.
  if (!/\p{L}/u.test(text)) return 0;
  if (whole.length > CHARACTERS_MAX || isLand(whole)) return 0;
  if (notAPlaceholder.test(whole) || hour.test(whole)) return 0;
  const isOffer = offersName(title, text);
  if (!isOffer && sale.test(text) && price.test(text)) return 0;
  if (shareOfTalk(whole, isOffer) < SHARE_MIN) return 0;
  const [stated, offered] = [statedWeight(whole), offeredWeight(title, whole)];
  const said = Math.max(stated, offered) + (stated > 0 && offered > 0 ? 0.5 : 0);
  return Math.max(0, Math.min(2, said + (said > 0 && page.isBare ? 0.5 : 0)) - page.ownPaths);
}

/** A statement about this domain, and about things that belong to domains. */
function statedWeight(text: string): number {
  const spoken = topics.filter((topic) => topic.test(text)).length;
  // A question is a condition: it may be about the reader's domain.
  const statements = text.replace(/[^.!?…|¶。！？]*[?？]/g, ' ');
  if (!anchored.test(statements)) {
    if (spoken === 1) return shareOfTalk(text, false) >= NEARLY_ALL ? 0.5 : 0;
    return spoken >= 3 ? 1.5 : spoken === 2 ? 1 : 0;
  }
  return spoken >= 2 ? 2 : 0.5 + spoken / 2;
}

/** From this share on, a page says hardly anything else. */
const NEARLY_ALL = 0.7;

/** The name is the only thing for sale. */
function offeredWeight(title: string, text: string): number {
  const isCalled = title.startsWith(OWN_NAME) || asksForInterest.test(title);
  const isAll = title.includes(OWN_NAME) && isOfNothingElse([title], NAMED_ELSE_SHARE);
  if (!(isCalled || isAll) || !sale.test(text)) return 0;
  return price.test(text) || sale.test(title) ? 1.5 : 1;
}

/** Whether what is sold may be the domain: a sentence speaks of it, or names nothing else. */
function offersName(title: string, text: string): boolean {
  // Any site may be called by its name alone: shops and markets that sell something else.
  const sentences = sentencesOf(`${title} ¶ ${text}`).filter((one) => !/^[\s§|]*$/.test(one));
  if (asksForInterest.test(title)) return true;
  if (sentences.some((one) => domainNoun.test(one) || namesAName.test(one))) return true;
  if (sentences.some((one) => one.includes(OWN_NAME) && isOfNothingElse([one], NAMED_ELSE_SHARE)))
    return true;
  return isOfNothingElse(
    sentences.filter((one) => !greeting.test(one)),
    ELSE_SHARE,
  );
}

/** Whether at most a share of the words are others than the name and those of a sale. */
function isOfNothingElse(sentences: readonly string[], share: number): boolean {
  const told = sentences.map((one) => one.replaceAll(OWN_NAME, ''));
  const rest = told.map((one) => one.replace(saleWords, '').replace(sums, ''));
  return lengthOf(rest) < share * lengthOf(told);
}

/** A name or an address that is sold, and how names are handed over. */
const namesAName =
  /der name (?:ist|wird|steht)|(?:this|the|premium|other|short|memorable|brandable) (?:web ?)?(?:name|address)(?:es|s)?(?![a-z])|ownership transfer|escrow\.com|through escrow|diese[rns]? (?:web|internet)?(?:adresse|name)|(?<![a-z])(?:ce|notre|votre) nom(?![a-z])|(?:este|su|tu) nombre|(?:ten|ta|tej|twoj) (?:adres|nazw[aey])|(?<![a-z])adres do |(?:это|данное|ваше) имя|имя (?:для|§)|(?:уступ[а-я]+|прода[а-я]+|отда[а-я]+) имя|(?<![a-z])nazwe(?![a-z])|(?:three|four|five|drei|vier|funf|trois|quatre|cinq|tres|cuatro|cinco|trzy|cztery|три|четыре|пять) (?:letters|buchstaben|lettres|letras|litery|букв)|(?:no|sin|sans|ohne) (?:hyphens?|guiones|tirets?|bindestriche?)|(?:имя|имени) занято|получить имя|(?:этот|данный) адрес/;
/** From this share of words that are not those of a sale, an offer says what it is of. */
const ELSE_SHARE = 0.25;
/** The same for a sentence with the name. */
const NAMED_ELSE_SHARE = 0.4;
const saleWords = new RegExp(`[a-zа-я]*(?:${sale.source})[a-zа-я]*`, 'g');
const sums = /[$€£¥￥₽]? ?\d[\d., ]*(?:[$€£₽元]|usd|eur|руб|zl|pln|chf|грн)?/g;

/** A title that asks whether one would like the name. */
const asksForInterest = new RegExp(
  `^[^a-zа-я${OWN_NAME}]*(?:interested in|(?:do you )?like|want|interesse an|interesse par|gefallt (?:ihnen|dir)|[cç]a vous plait|(?:te|le) gusta|interesad[oa] en|te interesa|podoba (?:ci )?sie|zainteresowan[ya]|нравится|нужен|хотите) (?:the (?:name|domain) )?(?:${OWN_NAME}|this (?:name|domain)|diese[rmn] (?:name|domain)n?|est[ea] (?:nombre|dominio)|t[ae] (?:nazwa|domena)|это имя|этот домен)[ ?!]*$|^ce (?:nom|domaine) vous interesse`,
);

/** Replaces a name, at its average length. */
const NAME_AS_LONG = 'sixteen letters.';

/**
 * 0 to 1: how much of a text is about a domain, its hosting or its sale.
 *
 *
 * @param isOffer whether the thing for sale may be the domain
 */
export function shareOfTalk(text: string, isOffer = true): number {
  const talks = (sentence: string): boolean => isTalk(sentence, isOffer);
  // A greeting says nothing of what the page is about.
  const sentences = sentencesOf(text).filter((one) => talks(one) || !greeting.test(one));
  const about = sentences.filter(talks);
  return lengthOf(about) / Math.max(1, lengthOf(sentences));
}

/** Sentences that say of this domain where it is registered or hosted. */
export const sentencesAboutHosting = (text: string): string[] =>
  sentencesOf(text).filter(
    (one) => hosted.test(one) && (one.includes(OWN_NAME) || anchored.test(one)),
  );
const hosted =
  /regist|host|parked|geparkt|aparcad|parque|serve[rd]|serwer|servidor|serveur|utrzym|zarejestr|domain|domen|домен|зарегистр|размещ|сервер|alojad|heberg|enregistr|webspace/;

/** Whether a page says why it exists, as the default page of a server does. */
export const saysWhyItIsThere = (text: string): boolean => reason.test(text);

/** Whether the thing for sale may be the domain: a domain is named. */
export const namesADomain = (text: string): boolean =>
  text.includes(OWN_NAME) || domainNoun.test(text);

/** The shortest text that a page can say about itself, in characters: a clause. */
const CLAUSE_CHARACTERS = 25;

/** 0 to 1: how much of a text is neither about a domain nor a greeting; 0 if it is less than a clause. */
export function ownShare(text: string, isOffer: boolean): number {
  const sentences = sentencesOf(text);
  const own = lengthOf(sentences.filter((one) => isOwn(one, isOffer)));
  return own < CLAUSE_CHARACTERS ? 0 : own / lengthOf(sentences);
}
/** Whether a text says anything that is neither. */
export const hasOwnTalk = (text: string): boolean =>
  sentencesOf(text).some((one) => isOwn(one, true));

const isOwn = (sentence: string, isOffer: boolean): boolean =>
  /\p{L}/u.test(sentence) && !isTalk(sentence, isOffer) && !greeting.test(sentence);
/** Other texts of placeholders and of sites under construction. */
const greeting =
  /thank|sorry|congratulations|hooray|gluckwunsch|felicitations|enhorabuena|gratulacj|поздравля|fragen (?:hilft|beantwortet)|questions\?|need (?:a hand|help)|kundendienst|customer (?:service|care)|service client|atencion al cliente|obslug[ia] klienta|служб[аеуы] поддержки|help ?desk|knowledge base|apolog|patience|patient|inconvenience|come back|visit us|welcome|powered by|wait|stay tuned|something (?:great|awesome|interesting|new)|bookmark|ждите|готовим|закладк|write to|get in touch|e-?mail|formular|related (?:searches|links)|verwandte such|recherches associees|busquedas relacionadas|working on|wir arbeiten|travaillons|estamos trabajando|pracujemy|работаем над|copyright|©|privacy|all rights|merci|excus|desole|revene[zr]|bienvenue|danke|entschuldig|(?<![a-z])besuchen sie|willkommen|impressum|datenschutz|gracias|disculp|perdon|molestias|bienvenid|vuelv[ae]|dziekuj|przeprasz|zaprasz|zajrzyj|witamy|спасибо|извин|зайдите|заходите|добро пожаловать|请稍后|感谢|谢谢|欢迎|抱歉/;

function isTalk(sentence: string, isOffer: boolean): boolean {
  return (
    sentence.includes(OWN_NAME) ||
    domainNoun.test(sentence) ||
    anchored.test(sentence) ||
    (isOffer && price.test(sentence)) ||
    topics.some((topic) => (isOffer || topic !== sale) && topic.test(sentence))
  );
}

const sentencesOf = (text: string): string[] => text.split(/[.!?…|¶。！？]+(?=\s|$)|[。！？]/);
const lengthOf = (sentences: readonly string[]): number =>
  sentences.reduce(
    (sum, sentence) => sum + sentence.trim().replaceAll(OWN_NAME, NAME_AS_LONG).length,
    0,
  );

/** Whether a page mentions a sale. */
export const speaksOfSale = (text: string): boolean => sale.test(text);
