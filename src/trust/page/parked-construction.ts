/** A longer text says more than that there is no site yet. */
const CHARACTERS_MAX = 500;
/** One word in so many may be another one. */
const WORDS_PER_OTHER = 12;
/** A word with no more letters than this means little: an article, a logo. */
const SHORT_WORD = 2;

/** That a site is not there yet; all patterns expect `plainLetters`. */
const construction =
  /under (?:construction|development)|coming (?:very )?soon|(?:launch|go)(?:ing|es|ed)? (?:live )?(?:very )?soon|being (?:re)?(?:built|made|prepared|created|designed|developed)|(?:working|building|preparing|creating|designing|doing some work) (?:hard )?(?:on )?(?:something|(?:our|the|this|a|my) (?:brand )?(?:new )?(?:web ?)?(?:site|page))|(?:site|page) (?:is )?(?:on its way|under way|in (?:progress|preparation|the works))|im (?:auf|um)bau|entsteht|in (?:arbeit|vorbereitung|bearbeitung|entstehung)|demnachst|(?:arbeiten|bauen) (?:gerade |derzeit |noch )*an|bald (?:hier |wieder )?(?:online|verfugbar|erreichbar)|en (?:cours de )?(?:construction|creation|preparation|developpement|refonte|travaux)|bientot|prochainement|en (?:construccion|desarrollo|preparacion|obras)|proximamente|muy pronto|w (?:trakcie )?(?:budow(?:y|ie)|przygotowani[ua]|przebudow(?:y|ie))|wkrotce|niebawem|powsta(?:je|nie)|pracujemy nad|(?:в|на) (?:стадии |процессе )?(?:разработк[еи]|реконструкции|создания|подготовк[еи])|скоро|готовится|создается|разрабатывается|в ближайшее время|(?:еще|пока) не (?:готов|создан|запущен|открыт)/;

/**
 * The words of pages that say nothing but this, in six languages: of sites and their building, of time, patience and
 * courtesy, of letters and calls, of all rights reserved. A word that ends in `*` stands for all that begin with it.
 */
const WORDS =
  `about after again all almost also amazing and any are arriv* available away awesome back bear beautiful been before
  being better big bit brand brewing browser build* built but call can change check click come coming construct*
  contact content cooking cool copyright countdown creat* currently day days dear design* develop* doing e-mail email
  enquir* enter excited exciting experience few follow for form from further get getting give great happening hard
  have hello here his home hour hours http https improv* inconvenience info inform* inquir* interest* its join
  journey just keep know later latest launch* leave like list little live loading look mail mailing make making mean
  meantime message min mins minute minutes moment move moved name new newsletter not nothing notif* now once one
  online only our out overhaul* page pages patience patient phone please powered prepar* presence progress project
  put question* ready really redesign* refresh* reserved return revamp* rights sec second seconds secs see send
  shortly sign site sites some something soon sorry special stay still subscribe super team thank* that the them then
  there they thing things this till time touch tuned under underway until untitled update* via visit* wait waiting
  watch way web webpage website week weeks welcome were what when while will write with work working works world www yet
  you your
  alle anmelden anruf* arbeit arbeite* auf aufbau auftritt augenblick bald bauen baustelle bearbeitung bedanken
  befindet bei besuch* bis bisschen bitte dahin damit danke* das dauert dem demnachst den der derzeit die dies* doch
  dran ein eine einem einen einer entschuldig* entsteh* erreich* erst erstellt* etwas fertig* folgt frage fragen
  freuen fur ganz geduld gerade gern* gestalt* gleich haben herzlich hier hochtouren homepage ihnen ihr ihre ihrem
  ihren inhalt inhalte interesse internet internetauftritt internetprasenz internetseite ist jetzt konnen kontakt*
  kurze leider liebe mal mit moglich momentan nach nachricht naht neu neue neuen neuer neues neugestalt* noch nochmal
  nun nur online per prasenz rein relaunch schau schauen schnell schon sehr sein seite seiten sich sie sind sobald
  spater stehen steht tage telefon tun uber uberarbeit* umbau und uns unser* unter verfugbar verfugung verstandnis
  viel vielen vielleicht vorbei vorbeischauen vorbereit* webauftritt webprasenz webseite webseiten website websites
  wenden wenig wenige* werden wieder willkommen wir wird wochen zeit zum zur zuruck zusammen
  actuellement adresse afin ainsi appel* arriv* attend* attente aux avec avez bien bientot bienvenue bonjour cela ces
  cet cette chantier chers connect* construction construire contenu* continu* cours creation dans demain demande* des
  desole* developpement dispo disponible* ecri* elle encore ensuite entierement equipe est etre excus* fait finalis*
  gene heures ici impatien* informe* internet joi* jour jours laisse* lancement les ligne maintenant merci mettre
  minutes mise moment momentanement mutation nos notre nous nouveau nouveautes nouveaux nouvel nouvelle par pas
  passage patience* patient* peu pleine plus pour pouvez prepar* prochain* quelques question* rapidement
  reconstruction refonte rendez-vous repass* reserves reste* retrouv* revenez revenir revoir secondes sera seront ses
  site sites soit sommes sous surprise tard telephone temps toujours tous tout toute travail* travaux tres une venir
  vers version visite* vite voici voir vos votre vous
  acceso actualiz* actualmente ahora algo antes aqui aun bienvenid* breve camino con conoc* construccion construy*
  consult* contact* contenid* correo creando cuando del derechos desarroll* desde dias disculp* disenando diseno
  disponible* donde dud* ella enviar escrib* espera* esta estamos estar estara estaremos este esto experiencia falta
  favor gracias hasta hola horas lanzamiento las les linea listo llama* llega llegamos los mejor mejorando mensaje
  mientras minutos molestias momento mucho muy nosotros nuestr* nueva nuevamente nuevo obras ofrecer* otra paciencia
  pagina paginas para pero poco podra por pregunt* preparacion preparando pronto proximamente publicar puede puedes
  que recib* remodel* renov* reservados segundos semanas sera sitio sitios sobre tanto telefono tiempo todavia todo
  todos trabaj* una unos vez visita* vista volver vuelv* web
  adres aktualizacj* albo ale bedzie bedziemy budow* chwile chwili cierpliwosc cos czas dla dni dostepn* dziekujemy
  dzwon* formularz* godzin gotow* internet* jest jestesmy jeszcze juz kilka kontakt* lub mail minut modernizacj* nad
  napisz nasz* nie niebawem niedlugo niedogodnosci nowa nowej nowosci nowy odslon* odwied* oraz pisz* ponownie
  powstaje powstanie pracujemy prosimy przebudow* przepraszamy przygotow* pytan* raz razie ruszamy sekund serdecznie
  serwis serwisu sprawach sprawie start startujemy strona strone stronie strony tej tel telefon ten teraz trakcie
  tresc* trwa trwaja tutaj tworzymy tym uruchom* utrudnienia wersja witaj* witamy witryn* wkrotce wroc* wszelkie
  wszystkie zajrzyj* zapraszamy zastrzezone zmien* znajd* zrozumienie
  благодар* будем будет будут вам вами вас ваш* веб вернитесь версия внимание возвращайтесь вопрос* все всем вскоре
  готов готовим готовится данный дизайн* для дней добро дорогие друзья ждем ждите загляните зайдите запуск* запустим
  заходите звоните здесь извин* интернет* информация контакт* контент* который минут мой над нам нами напишите
  наполн* нас находится наш* немного неудобства новая новое новом новый обновл* ожидайте она они откроется открыт
  открытие отправить очень пишите подготов* подождите пожаловать пожалуйста позже пока понимание посетите почта почте
  почты появится права при приветств* приносим процессе работаем работы разработ* реконструкции ресурс сайт сайта
  сайте сайтом свяжитесь связаться связи сделаем сейчас секунд скоро скором следите совсем содержим* создаем
  создается создан* спасибо стадии страница страницы строится сюрприз* также телефон телефону терпение терпения того
  трудимся тут уже узнайте усердно часов через что чтобы эта это этот`.split(/\s+/);

const beginnings = WORDS.filter((word) => word.endsWith('*')).map((word) => word.slice(0, -1));
const known = new Set(WORDS);
const isKnown = (word: string): boolean =>
  known.has(word) || beginnings.some((beginning) => word.startsWith(beginning));

/** Addresses for letters. */
const MAIL = /[^\s@]{1,60}@[^\s@]{1,80}/g;
/** A title that names the owner in more words is about what the owner does. */
const OWNER_CHARACTERS_MAX = 80;

/** The site, of which the text must speak under a title with other words: a film comes soon, too. */
const site =
  /(?<![a-z])(?:web ?)?(?:site|page)(?![a-z])|seite(?![a-z])|homepage|prasenz|auftritt|pagina|sitio|(?<![a-z])(?:web|strona|strony|strone|stronie|stronom|witryn[aey]|serwis)(?![a-z])|(?<![а-я])(?:сайт|страниц)/;

/**
 * Whether a page says nothing but that a site is being made, under its owner's name.
 *
 * @param title and text are normalised
 * @param domain tells the owner's name: `velorahaus.com` is Velora Haus
 */
export function saysOnlySoon(title: string, text: string, domain: string | null): boolean {
  if (text.length > CHARACTERS_MAX || !construction.test(`${title} ${text}`)) return false;
  const owner = inLatin(domain?.split('.')[0] ?? '');
  const rest = title
    .split(/ (?:[-–—|:·]|is|ist|est|esta|jest) /)
    .filter((part) => part.length > SHORT_WORD)
    .reduce((left, part) => left.replaceAll(part, ' '), text);
  if (hasOtherWords(rest, owner)) return false;
  if (!hasOtherWords(`${title} ${text}`, owner)) return true;
  return title.length <= OWNER_CHARACTERS_MAX && site.test(text) && construction.test(text);
}

function hasOtherWords(text: string, owner: string): boolean {
  const words = text
    .replace(MAIL, ' ')
    .split(/[^\p{L}]+/u)
    .filter((word) => word.length > SHORT_WORD);
  const all = new Set(words);
  const others = [...all].filter((word) => !isKnown(word) && !owner.includes(inLatin(word)));
  return others.length * WORDS_PER_OTHER > all.size;
}

/** How Russian and German names are written in domains, in one of several ways. */
function inLatin(word: string): string {
  const latin = word.replace(/[а-я]/g, (letter) => CYRILLIC[letter] ?? '');
  return latin
    .replace(/[^a-z]/g, '')
    .replace(/([aou])e/g, '$1')
    .replace(/kh|x/g, 'h')
    .replace(/ts/g, 'c')
    .replace(/j/g, 'y');
}
const CYRILLIC: Readonly<Record<string, string>> = Object.fromEntries(
  'а:a б:b в:v г:g д:d е:e ж:zh з:z и:i й:y к:k л:l м:m н:n о:o п:p р:r с:s т:t у:u ф:f х:h ц:c ч:ch ш:sh щ:sch ы:y э:e ю:yu я:ya'
    .split(' ')
    .map((pair) => pair.split(':')),
);
