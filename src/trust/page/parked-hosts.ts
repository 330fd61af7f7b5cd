/** How much of the text is searched: a host's own offers follow. */
const SEARCHED_CHARACTERS = 1_200;

/** Up to `max` characters of the same sentence. */
const within = (max: number): string => `[^.!?…|¶]{0,${max}}?`;

/** That the reader's site, space or account has just been made; all patterns expect `plainLetters`. */
const ready = [
  `(?:your|this|the|new) (?:[a-z]+ )?(?:hosting|account|(?:web ?)?site|(?:web ?)?space|domain|server|host|package|plan)(?: (?:account|name|space|server|package|plan|service))?(?: for §)?(?: §)? (?:is|has been|was)(?: (?:now|successfully|already|correctly|just|fully|been))* (?:ready|created|activated|active|installed|set up|configured|added|provisioned|enabled|available|working|online|live|up and running)|§ is (?:now )?(?:ready|active|live|set up|up and running)|we(?:['’]ve| have) (?:just |successfully )?(?:set up|created|activated|installed) (?:your|this)`,
  `(?:ihr|dein|der|das|dieses?r?|die|ihre|deine|neues?r?) (?:neue[rs]? )?(?:[a-z]*hosting(?:-?[a-z]+)?|[a-z]*space|konto|[a-z-]*account|[a-z-]*paket|(?:web)?server|website|webseite|webprasenz|domain|speicherplatz)(?: §)? (?:ist|wurde|steht)(?: [a-z]+){0,3} (?:eingerichtet|angelegt|bereit|aktiviert|freigeschaltet|aktiv|erstellt|installiert|einsatzbereit|konfiguriert)`,
  `(?:votre|ce|le|notre|nouveau|nouvel) (?:nouvel? )?(?:hebergement|compte|site|espace|serveur|nom de domaine|domaine|pack)(?: (?:web|internet|d['’]hebergement|client|mutualise))*(?: §)? (?:est|a)(?: (?:maintenant|desormais|bien|a present|ete|correctement|deja|pas)){0,3} (?:installe|cree|active|actif|prete?|configure|operationnel|en place|disponible|ouvert|ajoute)(?![a-z])`,
  `(?:tu|su|el|la|este|esta|nuevo|nueva) (?:nuev[oa] )?(?:hosting|cuenta|alojamiento|sitio|espacio|servidor|dominio|pagina|plan|hospedaje|web)(?: (?:web|de (?:hosting|alojamiento|hospedaje|usuario)))*(?: §)? (?:ya )?(?:esta|ha sido|fue|se ha|quedo)(?: (?:ya|correctamente|exitosamente|sido)){0,2} (?:list[oa]|cread[oa]|activad[oa]|instalad[oa]|configurad[oa]|activ[oa]|habilitad[oa]|agregad[oa]|dad[oa] de alta)`,
  `(?:twoj[ae]?|ten|ta|to|now[aey]|panstwa|(?<![a-z])(?:konto|strona|domena|hosting|serwer|witryna|usluga)) ?(?:konto|strona|domena|hosting|serwer|witryna|usluga)?(?: (?:hostingow[aey]|www|internetowa|wirtualny))?(?: §)? (?:(?:jest|zostal[ao]?)(?: (?:juz|pomyslnie|wlasnie|poprawnie|prawidlowo)){0,2} )?(?:dodan|utworzon|zalozon|uruchomion|skonfigurowan|zainstalowan|aktywowan|przygotowan|gotow|aktywn)[aeyo](?![a-z])|(?:ta|twoja) (?:domena|strona|witryna)(?: §)? (?:juz )?dziala(?![a-z])`,
  `(?<![а-я])(?:сайт|хостинг|аккаунт|домен|сервер|площадка|веб-пространство)(?: §)?(?: (?:уже|успешно|только что|теперь|был|был[ао]|хостинга)){0,3} (?:создан|готов|активирован|добавлен|подключен|настроен|установлен|работает|заработал|размещен)[ао]?(?![а-я])`,
].map((pattern) => new RegExp(pattern));

/** Says when something happens, as instructions do, or that it has not. */
const conditional =
  /(?<![a-zа-я])(?:if|when|once|after|whenever|as soon as|until|not|wenn|sobald|falls|nachdem|bis|nicht|si|lorsque|quand|une fois|des que|apres|pas|cuando|una vez|si|despues|hasta|no|gdy|kiedy|jesli|jezeli|po tym|nie|если|когда|после|как только|не|чтобы)(?![a-zа-я])/;

const FOLDER =
  '(?:public_html|httpdocs|htdocs|(?<![a-z.])www(?![a-z.])|(?<![a-z])(?:s?ftp|file manager|filemanager)(?![a-z])|dateimanager|gestionnaire de fichiers|(?:administrador|gestor) de (?:archivos|ficheros)|menedzer plikow|файлов[а-я]+ менеджер|менеджер[а-я]* файлов)';
const FILES =
  "(?:your|the|own) (?:web ?site(?:['’]s)?|site|web ?pages|content)|(?<![a-z])files|(?:ihre|deine|eigene)[nr]? (?:website|webseite|dateien|daten|inhalte|seiten|websitedaten)|(?<![a-z])(?:vos|tes|les) (?:fichiers|pages|contenus?)|votre site|(?:tus|sus|los|tu|su) (?:archivos|ficheros|contenidos?|sitio|web|paginas)|(?<![a-z])pliki|swoj[ae] (?:stron[ae]|pliki)|(?<![а-я])файл(?:ы|ов)|(?:свой|ваш) сайт|содержимое сайта";
const PUT =
  '(?:upload|copy|put|place|transfer|publish|hochladen|lade[n ]|laden sie|kopieren|ubertragen|legen sie|leg|deposez|deposer|transfere[rz]|envoye[rz]|placez|mettez|copiez|sub[aei]r?|suba|coloque|coloca|copi[ea]|alojando|aloje|publi(?:que|ca)|wgraj|umiesc|skopiuj|przeslij|zaladuj|wgrywaj|загрузите|загрузить|разместите|разместить|скопируйте|выложите|закачайте)';

/** Where the reader's files go. */
const upload = new RegExp(
  `(?<![a-zа-я])${PUT}${within(60)}(?:${FILES}|${FOLDER})|(?:${FILES})${within(60)}(?:${FOLDER}|hoch(?:laden|geladen)?(?![a-z]))`,
);

const THIS_PAGE =
  '(?:this|the|that) (?:default |placeholder |test |index |temporary )?(?:page|file)|(?:index|default)\\.(?:html?|php)|dies?e[rns]? (?:standard|platzhalter|start|test)?-?(?:seite|datei)|(?:cette|la) page|ce fichier|le fichier|est[ae] (?:pagina|archivo|fichero|mensaje)|el (?:archivo|fichero)|(?:t[ae]|te|ten) (?:stron[ae]|plik)|(?:эт(?:от|у|ой)|данн(?:ый|ую)) (?:файл|страниц[уы]|заглушк[уи])|файл(?! сайта)';
const REPLACE =
  '(?:delete|remove|replace|overwrite|swap|change|edit|losche[n ]|ersetzen?|uberschreiben|entfernen|supprime[rz]|remplace[rz]|effacez|ecrase[rz]|elimin[ae]r?|borr[ae]r?|reemplac[ea]r?|sustituy[ae]|sustituir|modifi(?:que|car)|skasuj|usun(?:ac)?|zastap(?:ic)?|podmien|nadpisz|удалите|удалить|замените|заменить|перезапишите)';

/** That this page or its file is to be replaced. */
const replace = new RegExp(
  `(?<![a-zа-я])${REPLACE} ${within(30)}(?:${THIS_PAGE})|(?:${THIS_PAGE})${within(60)}(?<![a-zа-я])${REPLACE}(?![a-zа-я])|(?:${THIS_PAGE}) (?:will )?(?:disappear|verschwindet|disparai|desaparec|znik|исчезн)|se (?:reemplaza|sustituye|reemplazara) por (?:tu|su)|(?:wird|is|will be) (?:automatically |automatisch )?(?:replaced|ersetzt)|(?:sera|peut etre) (?:remplacee|supprimee)|zostanie zastapiona|будет заменена`,
);

/** Why the reader sees this page. */
const why =
  /you (?:are seeing|see|are viewing) this (?:page|message)|this (?:page|file|message) (?:is|was|has been|will be) (?:automatically|auto-?generated|generated|placed|created|shown|displayed|here)|default (?:page|index|web ?site|web ?page|home ?page)|placeholder|(?:diese|die) (?:seite|datei) (?:wird|wurde) (?:automatisch|angezeigt|erzeugt|standardmassig)|sie sehen diese seite|platzhalter|standardseite|startseite des webservers|cette page (?:s['’]affiche|est affichee|a ete (?:generee|creee)|est (?:generee|creee|provisoire))|vous voyez cette page|page (?:par defaut|d['’]attente)|esta pagina (?:se (?:muestra|genera|publica|ha)|es colocada|fue (?:creada|generada|colocada)|aparece)|(?:publicamos|generamos|colocamos|creamos) esta pagina|de forma automatica|pagina (?:por defecto|predeterminada|provisional)|viendo esta pagina|(?:ta|te) stron[ae] (?:zostala|jest|widzisz|wyswietla)|widzisz te strone|strona (?:domyslna|zastepcza|tymczasowa|startowa)|domyslna strona|(?:эта )?страница (?:создана|сгенерирована|отображается|показывается|по умолчанию)|вы видите эту страницу|заглушк/;

/**
 * How many kinds of things a text says that a host tells a new customer: that the site or the account is ready, where
 * the files go, what becomes of this page, why it is shown. Hosts are many, but all of them say these.
 */
export function instructionsOf(text: string): { kinds: number; isReady: boolean } {
  const searched = text.slice(0, SEARCHED_CHARACTERS);
  const isReady = searched
    .split(/[.!?…|¶]+(?=\s|$)/)
    .some((one) => ready.some((pattern) => pattern.test(one)) && !conditional.test(one));
  const others = [upload, replace, why].filter((pattern) => pattern.test(searched));
  return { kinds: others.length + (isReady ? 1 : 0), isReady };
}
