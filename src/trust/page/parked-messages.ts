/** Replaces the names of the site in a text that is searched for messages. */
export const OWN_NAME = '§';

/** Up to `max` characters of the same sentence. */
const within = (max: number): string => `[^.!?…|¶。！？]{0,${max}}?`;

/** A condition ("if a domain is for sale") says nothing about the page's own domain. */
const NOT_IF =
  '(?<!(?<![a-zа-я])(?:if|when|если|когда|wenn|falls|si|jesli|jezeli) (?:[a-zа-я]{1,12} ){0,2})';

/** What may stand between a name and what is said of it. Any other word may be what is sold. */
const LINKING =
  '(?:(?:is|be|has|the|this|premium|domain|name|web ?site|now|currently|also|may|might|could|just|recently|jetzt|nun|ist|steht|wird|wurde|die|diese|adresse|est|etait|actuellement|maintenant|ce|le|nom|de|domaine|site|esta|ahora|este|el|dominio|jest|teraz|obecnie|ta|domena|strona|сейчас|теперь|это|этот|домен|сайт|имя|域名|已|正在)[\\s:–—|-]+){0,5}';

/** A sentence whose subject is this domain and whose predicate is `predicate`. All patterns expect `plainLetters`. */
function says(subject: string, predicate: string): RegExp[] {
  return [
    new RegExp(`${NOT_IF}(?:${subject})${within(80)}(?:${predicate})`, 'u'),
    // A site's own name may occur in any sentence, so the predicate must follow at once.
    new RegExp(`${OWN_NAME}["'»”)]?[\\s:–—|¶-]{1,4}${LINKING}(?:${predicate})`, 'u'),
  ];
}

const english = [
  ...says(
    `(?:this|your) (?:premium |brandable |exclusive )?domain(?: name)?(?![a-z])|the (?:domain name|domain ${OWN_NAME})`,
    "(?:is|may be|might be|could be) (?:listed |now |currently |available )*for sale|is parked|(?:has |was |is )(?:just |recently |successfully |already )*(?:been )?registered|has (?:recently )?expired|(?:might|may|could) be available|is (?:pending renewal|available (?:for (?:purchase|sale|acquisition)|to buy)|reserved)|parked (?:free|by|at|with)|(?:isn[’']t|is not) (?:yet )?(?:connected|configured)|for sale",
  ),
  /(?:buy|purchase|get|acquire|renew) this domain|the domain has expired/,
  /(?:interested in|offers? (?:on|for)|inquire about|own) this (?:domain(?! of)|(?:domain )?name(?![a-z]))/,
  /^[^a-zа-я]*(?:premium )?domain(?: name)? (?:is )?(?:for sale|parked)/,
  new RegExp(`^(?:${OWN_NAME} [-–—|:] )?premium domain (?:name )?(?:is )?available`),
  /^[^a-zа-я]*(?:this )?domain (?:name )?(?:is |has been |was )?registered (?:at|by|with|through|via|on) /,
  /(?:web ?page|web ?site|domain) is parked|courtesy of godaddy|this is a parked (?:page|domain)/,
  new RegExp(`^(?:${OWN_NAME} [-–—|:] )?(?:domain )?parked (?:domain|on|by|at|with|free)`),
  /this page is (?:provided courtesy of|generated automatically by your registrar)/,
  /(?:this|your) account has been suspended|hosting (?:has been|is|was) suspended|future home of (?:something|a)/,
  new RegExp(`future (?:home|web ?site|site) of ${OWN_NAME}`),
  /there is no web ?site at this address|website is coming soon|if you are the owner of this website, please contact your hosting provider/,
];

/** Matches `домен`, not `доменная печь`. */
const DOMAIN_RU = 'домен(?:ное имя)?(?![а-я])';

const russian = [
  ...says(
    DOMAIN_RU,
    'продается|освобождается|выставлен(?:о)? на продажу|припаркован|не прилинкован|не привязан|не подключен|свободен для регистрации|делегирован|(?:успешно )?(?:зарегистрирован|куплен) (?:в|через|на|с помощью) ',
  ),
  new RegExp(`продается (?:этот |данный )?${DOMAIN_RU}|купить (?:этот|данный) домен(?![а-я])`),
  // A registrar also says "купить домен" and "продажа доменов", but names no particular domain.
  new RegExp(`продажа (?:этого |данного )?домена(?![а-я])|купить домен [«"]?${OWN_NAME}`),
  /(?:срок регистрации|регистрация) домена [^.!?]{0,80}(?:истек|закончил)/,
  /срок регистрации истек|срок (?:оплаты|действия) (?:хостинга|домена|услуги) (?:истек|закончил)/,
  new RegExp(
    `сайт (?:${OWN_NAME} )?(?:временно )?(?:заблокирован|отключен) (?:хостинг|хостером|за неуплату|или (?:еще )?не активир)`,
  ),
  /обслуживание сайта приостановлено|хостинг (?:этого |данного )?(?:сайта |аккаунта )?(?:временно )?(?:приостановлен|заблокирован|отключен)/,
  /(?:аккаунт|учетная запись) (?:хостинга )?(?:временно )?(?:заблокирован|приостановлен)а? (?:за|из-за)/,
  /сайт (?:пока |еще )*не (?:создан|настроен|размещен|опубликован|подключен)/,
  /домен прода[єе]ться|^[^a-zа-я]*домен зарегистрирован (?:в|через|на|у|компанией) /,
  new RegExp(`сайт ${OWN_NAME} не найден|прода(?:ю|м) (?:этот |данный )?(?:домен|имя)(?![а-я])`),
  /страница[- ]заглушка|(?:это|стандартная) (?:[а-я]+ )?заглушка/,
];

const german = [
  ...says(
    `(?:diese|dieser|ihre) (?:domain(?:name)?|internet-?adresse|internetprasenz)(?![a-z])|(?:die|der) (?:domain(?:name)?|internet-?adresse) ${OWN_NAME}`,
    '(?:steht|stehen|ist|wird) [^.!?]{0,20}(?:zum verkauf|zu verkaufen|verkauft|geparkt|reserviert|registriert|gesichert|eingerichtet)|zum verkauf|zu verkaufen|abzugeben|wurde [^.!?]{0,60}(?:registriert|reserviert|eingerichtet|geschaltet)',
  ),
  /diese domain (?:jetzt )?(?:kaufen|erwerben)|domain im kundenauftrag registriert|domain (?:ist )?(?:bereits )?(?:reserviert|registriert|geparkt)(?![a-z?])/,
  /(?:dieser|ihr|dieses) (?:account|konto|webspace|webhosting|hosting-?paket) (?:wurde|ist) [^.!?]{0,30}(?:gesperrt|deaktiviert)/,
  /hier entsteht (?:in kurze |demnachst |bald )*(?:eine |ein )?(?:neue |neuer )?(?:internetprasenz|homepage|website|webseite|webauftritt|internetauftritt)/,
  /domain (?:ist )?(?:derzeit )?(?:inaktiv|nicht aktiv|gekundigt|abgelaufen)(?![a-z?])/,
  /^[^a-z]*domain (?:wurde )?registriert (?:bei|durch|von|uber) /,
  /(?:noch )?keine inhalte hinterlegt|domain (?:zu verkaufen|steht zum verkauf)/,
];

const french = [
  ...says(
    `(?:ce|votre) (?:nom de )?domaine(?![a-z])|le (?:nom de domaine|domaine ${OWN_NAME})`,
    'est (?:actuellement )?(?:a vendre|a ceder|en vente|en parking|parque|reserve|expire)|a vendre|a ceder|en vente|a (?:bien |recemment )?ete (?:cree|enregistre|reserve|achete)|a expire|est (?:deja )?enregistre',
  ),
  /(?:acheter|acquerir) ce (?:nom de )?domaine|nom de domaine a (?:vendre|ceder)|^[^a-z]*domaine (?:reserve(?! a)|enregistre|parke)/,
  new RegExp(
    `domaine (?:${OWN_NAME} )?a (?:vendre|ceder)[^a-z]{0,3}${OWN_NAME}|domaine ${OWN_NAME} a (?:vendre|ceder)`,
  ),
  /(?:ce compte|l['’]hebergement de ce (?:site|domaine)) (?:a ete|est) (?:temporairement )?suspendu|^hebergement suspendu/,
  /ce site (?:n['’]est pas (?:encore )?(?:publie|configure)|est en attente)/,
];

const polish = [
  ...says(
    '(?:ta |twoja )?domena(?![a-z])',
    'na sprzedaz|do sprzedania|(?:jest |zostala )(?:[^.!?]{0,20} )?(?:zaparkowana|utrzymywana|zarejestrowana|zarezerwowana|wystawiona)|wygasla|utrzymywana (?:jest )?(?:na|w) ',
  ),
  /(?:kup|wykup) (?:te|ta) domene|sprzedam domene|domena (?:na sprzedaz|zaparkowana)/,
  /(?:konto hostingowe|usluga hostingowa|hosting) (?:jest |zostal[ao]? )(?:nieaktywn|zablokowan|zawieszon)/,
  /(?:konto|strona|serwis|witryna) (?:zostal[ao] |jest )?(?:tymczasowo )?(?:zawieszon|zablokowan)[aeoy] (?:z powodu|za |przez )/,
  /^[^a-z]*domena (?:jest )?zarejestrowana (?:w|przez|u|na) /,
  /zainteresowany ta domena|skontaktuj sie z abonentem domeny/,
  /pod tym adresem nie znajduje sie zaden serwis/,
  /strona (?:internetowa )?(?:pod tym adresem )?(?:jeszcze )?nie zostala (?:jeszcze )?(?:opublikowana|skonfigurowana)/,
];

const spanish = [
  ...says(
    `(?:este|tu|su) (?:nombre de )?dominio(?! de )(?![a-z])|el (?:nombre de dominio|dominio ${OWN_NAME})`,
    'esta (?:en venta|a la venta|aparcado|reservado|registrado|disponible para (?:la )?(?:compra|venta))|en venta|ha sido (?:registrado|reservado)|ha (?:caducado|expirado)|puede ser suyo|ha sido dado de alta',
  ),
  /esta cuenta (?:ha sido|esta) suspendida|(?:alojamiento|hosting) de este (?:dominio|sitio)(?: web)? (?:ha sido|esta) suspendido/,
  /comprar este dominio|dominio disponible (?:por|desde) |^[^a-z]*dominio (?:registrado|en venta|aparcado|estacionado|reservado|caducado|expirado|suspendido)/,
  new RegExp(`${OWN_NAME}[^.!?]{1,4}(?:dominio en venta|registrado en )`),
];

/** A market's own sentence after the domain's name; alone, it may be about a business. */
const sites = [
  new RegExp(
    `${OWN_NAME} ?[-–—|:] ?(?:diese (?:website|webseite) steht zum verkauf|this website is for sale|ce site (?:web )?est a vendre|est[ae] (?:pagina|sitio) web esta en venta|ta strona (?:internetowa )?jest na sprzedaz|(?:этот|данный) сайт продается)`,
  ),
];

const chinese = [
  ...says(
    '(?:此|该|本|这个)?域名',
    '(?:正在|可|已|現)?(?:出售|转让|挂牌|停放|过期|到期|被?注册)|未(?:绑定|备案|解析)',
  ),
  /(?:出售|转让|购买|收购)(?:此|该|本|这个)域名|域名(?:停放|出售|转让)页/,
];

/** A title or heading that only invites the reader to buy the name. */
const called = new RegExp(
  `^(?:own|buy|get|purchase|acquire|achete[rz]|acquerir|kup|kupic|comprar?|compre|adquiera|kaufen sie|купить|купите)(?: (?:the|la|le|el))?(?: (?:domain(?: name)?|domene|domaine|dominio|домен))? ${OWN_NAME}$|^${OWN_NAME} (?:kaufen|купить|is available|ist (?:noch )?(?:frei|zu haben)|est (?:libre|disponible)|esta (?:libre|disponible)|jest (?:wolna|dostepna)|свободен)$`,
);

/** How servers and hosting companies welcome a new customer, in each language. */
const unfilled = [
  /successfully installed the [^.!?]{0,40}web ?server/,
  /(?:delete|remove|replace|overwrite|loschen sie|ersetzen sie|supprimez|remplacez|skasuj|usun|zastap|elimine|elimina|borr[ae]|sustituya|reemplace|удалите|замените) [^.!?]{0,40}(?:index|default)\.(?:html?|php)/,
];

const others = [
  ...says(
    'questo (?:nome a )?dominio',
    'e (?:in vendita|registrato|parcheggiato|stato registrato)',
  ),
  ...says('este dominio', 'esta (?:a venda|estacionado)|foi registrado'),
  ...says('deze domein(?:naam)?', 'te koop|is (?:geregistreerd|gereserveerd|geparkeerd)'),
  ...says('(?:tato|tahle) domena', 'na prodej|je (?:zaregistrovana|zaparkovana)'),
  ...says('bu alan adı', 'satiliktir|satılıktır|kayıtlı'),
];

/** Texts of parking networks under their advertisements. */
export const adsOfParking =
  /sponsored (?:listings|links)[^.!?]{0,40} (?:are served|werden|served) [^.!?]{0,40}(?:third party|dritter? seite)|(?:neither [^.!?]{1,40} nor )?the domain owner maintains? (?:no|any) relationship|webpage was generated by the domain owner using|maintains? no relationship with (?:third.party )?advertisers|domaininhaber (?:noch|und) [^.!?]{0,60}werbetreibenden|contact the domain owner directly \(whois/;

/** Messages by which a page says that its domain has no site: for sale, parked, expired, or not yet published. */
export const parkedMessages: readonly RegExp[] = [
  ...english,
  ...russian,
  ...german,
  ...french,
  ...polish,
  ...spanish,
  ...chinese,
  ...sites,
  ...unfilled,
  called,
  ...others,
];

/** Complete titles and headings of placeholders; a site that is being rebuilt says more. */
export const placeholderHeading =
  /^\W*(?:(?:the |this |our |new )*(?:web ?)?site |page |we(?:'|’)re |we are |something (?:new |great )?(?:is )?)?(?:coming soon|under construction|launching soon|parked|parking|default page|website expired|site not published)\W*$|^\W*(?:(?:web ?)?site|account|hosting) (?:is |has been )?(?:blocked|suspended|disabled|not published)\W*$|^\W*(?:(?:notre |votre )?site (?:web )?(?:internet )?(?:est )?en (?:cours de )?construction|page en (?:cours de )?construction|en construction|site a venir|(?:site|compte|hebergement) (?:suspendu|desactive)|(?:cuenta|web|sitio(?: web)?|pagina|servicio) suspendid[ao]|(?:konto|usluga|strona|serwis|witryna|hosting) (?:zawieszon|zablokowan|wylaczon)[aeoy]|(?:account|konto|(?:web)?hosting|webspace|website|(?:internet|web)?auftritt) (?:gesperrt|deaktiviert)|(?:(?:pagina|sitio)(?: web)? |web )?(?:esta )?en construccion|proximamente|(?:strona|witryna|serwis) (?:jest )?w (?:budowie|przygotowaniu)|w budowie|(?:(?:die |diese )?(?:seite|website|homepage|webseite) )?(?:ist |befindet sich )?(?:noch )?im aufbau|demnachst(?: hier)?|(?:demnachst|in kurze|bald) (?:finden sie|entsteht|erscheint|gibt es) hier [^.!?]{0,40}(?:website|webseite|homepage|internetseite|internetprasenz)|bientot (?:ici|en ligne|disponible)|wkrotce (?:tutaj|otwarcie|start)|(?:holding|temporary|test) page|the web ?server is (?:up|working|running)|(?:der )?vertrag (?:ist )?(?:ausgelaufen|abgelaufen)|okres abonamentowy (?:domeny )?minal|site indisponible|(?:neue|unsere neue) (?:web ?site|webseite|homepage|internetseite|seite) (?:ist )?in (?:arbeit|vorbereitung)|(?:nouveau|notre nouveau) site (?:est )?en (?:preparation|cours)|nueva (?:web|pagina)(?: web)? en (?:preparacion|camino|construccion)|nowa strona (?:jest )?(?:w drodze|w przygotowaniu|juz wkrotce)|(?:our )?new (?:web ?)?site (?:is )?(?:on its way|in progress|in the works)|kein (?:webspace|inhalt)(?: zugeordnet| hinterlegt)?|baustelle|in kurze verfugbar)[\s!.…]*$|^[^a-zа-я]*(?:(?:сайт )?(?:находится )?(?:в (?:стадии )?разработк[еи]|в процессе разработки|на реконструкции)|скоро открытие|(?:новый сайт|сайт) (?:готовится|уже скоро)|здесь пока (?:ничего нет|пусто)|временная страница|скоро здесь (?:будет|появится)[^.!?]{0,30}|(?:здесь|тут) (?:скоро )?(?:будет|появится)(?: новый)? (?:ваш )?сайт|(?:сайт|аккаунт|хостинг) (?:перемещен|удален|заблокирован|отключен|приостановлен|не опубликован|не найден))[\s!.…]*$|^(?:网站|本站|该站点)?(?:正在)?(?:建设中|维护建设中|建設中)[\s!.…，。]*$|敬请期待[\s!.…，。！]*$/;

/** Complete titles of servers and control panels that nobody has set up. */
export const untouchedServer =
  /^(?:domain has been assigned|apache2? (?:\w+ )?(?:default|test) page(?:: it works)?|apache (?:http server test page.*|is functioning normally|tomcat(?:\/[\d.]+)?)|test page for (?:the )?.*(?:apache|nginx|http server).*|(?:[\w ]+ )?http server test page.*|(?:congratulations!? )?(?:welcome to|bienvenid[oa] a|willkommen bei|bienvenue (?:sur|dans)|wita(?:my|j) w|добро пожаловать в) (?:nginx|openresty|centos|tengine|caddy|xampp|openlitespeed|wampserver|litespeed|jetty|(?:your )?(?:virtualmin|directadmin)).{0,30}|caddy works!?|iis windows(?: server)?|iis ?\d*|(?:microsoft )?internet information services.*|default (?:web|plesk) (?:site )?page|default web site page|web server['’]s default page|domain default page|hestia.*|success! your new web server is ready to use|directadmin.*|placeholder page|default page|(?:apache )?it works!?|to dziala!?|(?:apache|nginx) (?:dziala|funktioniert|fonctionne|funciona|работает)!?|website default page|index|hostinger.{0,30}default.{0,10}|default parallels plesk.*page|(?:fastpanel|aapanel|cyberpanel|cloudpanel|vestacp|ispmanager|webuzo)(?: default page| installed)?|congratulations[,!] the site is created successfully!?|(?:恭喜，?)?站点创建成功[!！]?|没有找到站点|new server|web server default page|страница (?:веб-сервера )?по умолчанию(?: веб-сервера)?|page par defaut(?: du serveur(?: web)?)?(?: [-–—|] .{1,20})?|(?:domain-?)?standardseite(?: des webservers)?(?: [-–—|] .{1,20})?|(?:domyslna strona|strona domyslna)(?: serwera(?: www)?)?(?: [-–—|] .{1,20})?|pagina (?:web )?(?:por defecto|predeterminada)(?: del servidor(?: web)?)?(?: [-–—|] .{1,20})?)$/;

/** Texts in templates that nobody has replaced yet. */
export const untouchedTemplate =
  /lorem ipsum|(?:©|copyright) ?(?:\d{4} )?your company|your company name/;

/** Where a word may be divided, and marks without a width. */
const INVISIBLE = /[\u00ad\u200b-\u200d\u2060\ufeff]/g;

/** Lower case, white space folded, Latin letters without diacritics (pages often omit them), `е` for `ё`. */
export function plainLetters(text: string): string {
  return text
    .toLowerCase()
    .replace(INVISIBLE, '')
    .replace(/\s+/g, ' ')
    .replaceAll('ё', 'е')
    .replaceAll('ł', 'l')
    .replace(/[à-ɏḁ-ỹ]/g, (letter) => letter.normalize('NFD')[0] ?? letter)
    .trim();
}
