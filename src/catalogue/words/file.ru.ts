import type { Sentences } from '../../lib/sentences.ts';

/** Problems of a catalogue file, and things that may be meant differently: each English sentence in Russian. */
export const ofFiles: Sentences = {
  'the catalogue was refused: {problem}': 'каталог отклонён: {problem}',
  'the catalogue was refused for {count} problems, the first: {problem}':
    'каталог отклонён, ошибок: {count}. Первая: {problem}',
  'line {line}: {path}: {problem}': 'строка {line}: {path}: {problem}',
  'line {line}: {problem}': 'строка {line}: {problem}',
  ' (did you mean {word}?)': ' (может быть, {word}?)',
  'the catalogue file is larger than 4 MiB: remove what is not needed':
    'файл каталога больше 4 МиБ: уберите лишнее',
  'the catalogue has more than {max} {marks}: send fewer models, or use "zastava catalogue apply", which has no such limit':
    'в каталоге больше {max} знаков ({marks}): отправьте меньше моделей или примените файл командой «zastava catalogue apply», для неё такого предела нет',
  'reading the catalogue took more than {seconds} s: send a smaller one, or use "zastava catalogue apply", which has no such limit':
    'каталог читался дольше {seconds} с: отправьте меньший или примените файл командой «zastava catalogue apply», для неё такого предела нет',
  'other catalogues are being read: try again':
    'сейчас читаются другие каталоги: попробуйте ещё раз',
  'the catalogue has changed in the meantime: nothing was written; look at the changes again':
    'каталог тем временем изменился. Ничего не записано: посмотрите изменения ещё раз',
  "{name} is not set in this server's environment: set it, since the providers that refer to it can't be called, and the server can't start without it":
    'переменная {name} не задана в окружении сервера: задайте её, иначе поставщиков, которые на неё ссылаются, нельзя вызвать, а сервер без неё не запустится',

  'indent with spaces, not with tabs': 'отступы делайте пробелами, а не табуляцией',
  'the indentation is wrong, or a bracket is not closed': 'неверный отступ или не закрыта скобка',
  'a quote, bracket, colon or comma is missing':
    'не хватает кавычки, скобки, двоеточия или запятой',
  'the file must be one document (no second ---)':
    'в файле должен быть один документ (без второго ---)',
  'tags (!name) are not allowed': 'метки (!имя) не допускаются',
  'is nested too deeply': 'слишком глубокая вложенность',
  'there is an unexpected character (in braces, ${NAME} needs quotes)':
    'неожиданный знак (в фигурных скобках ${NAME} нужно взять в кавычки)',
  'this is not valid YAML ({code})': 'это не YAML ({code})',
  'aliases (*name) are not allowed: write out the value':
    'ссылки (*имя) не допускаются: напишите само значение',
  'cannot be read': 'не читается',
  'a field name must be plain text': 'имя поля должно быть простым текстом',
  'is listed twice': 'указано дважды',
  'must be text, a number, or a list or map of them':
    'нужен текст, число либо список или набор полей из них',

  'the file must have the fields providers and models (to retire all models, write "models: []")':
    'в файле нужны поля providers и models (чтобы вывести из работы все модели, напишите «models: []»)',
  'the field models is missing (to retire all models, write "models: []")':
    'нет поля models (чтобы вывести из работы все модели, напишите «models: []»)',
  'is empty (to retire all models, write "models: []")':
    'пусто (чтобы вывести из работы все модели, напишите «models: []»)',
  'unknown field{hint}': 'неизвестное поле{hint}',
  'is missing: {problem}': 'не указано: {problem}',
  'is empty: fill it in, or leave the line out': 'пусто: заполните или уберите строку',
  'Invalid key in record': 'такого имени поля не бывает',
  'must not be empty': 'не должно быть пустым',
  'must not be negative': 'не должно быть отрицательным',
  'must be at most {max}': 'нужно не больше {max}',
  'must be at most {max} characters': 'нужно не больше {max} символов',
  'must be at most {max} models': 'моделей нужно не больше {max}',
  'must be at most {max} providers': 'поставщиков нужно не больше {max}',
  'must be at most {max} keys': 'ключей нужно не больше {max}',
  'must be at most {max} ids': 'номеров нужно не больше {max}',
  'must be at most {max} headers': 'заголовков нужно не больше {max}',
  'must be at most {max} windows': 'промежутков нужно не больше {max}',
  'must be one of {values}': 'нужно одно из: {values}',
  'must be a number': 'нужно число',
  'must be a finite number': 'нужно конечное число',
  'must be a whole number': 'нужно целое число',
  'must be a whole number from {min} to {max}': 'нужно целое число от {min} до {max}',
  'must be a decimal number from 0 to {max} with at most {decimals} decimals':
    'нужно десятичное число от 0 до {max}, знаков после запятой не больше {decimals}',
  'must be text (put it in quotes)': 'нужен текст (возьмите его в кавычки)',
  'must not contain U+0000 or half of a surrogate pair':
    'не должно содержать U+0000 или половину суррогатной пары',
  'must be on or off': 'нужно on или off',
  'must be 0 or 1': 'нужно 0 или 1',

  'must be a map of provider codes': 'нужен набор поставщиков по их кодам',
  'must be a map with at least the field kind': 'нужен набор полей, по меньшей мере kind',
  'a provider code is 1 to 64 letters, digits, ".", "_" or "-"':
    'код поставщика — от 1 до 64 латинских букв, цифр и знаков «.», «_», «-»',
  'unknown kind{hint}: {problem}': 'неизвестный вид{hint}: {problem}',
  'the code {code} belongs to a built-in provider: choose another code, or the kind {kind}':
    'код {code} занят встроенным поставщиком: возьмите другой код или вид {kind}',
  'over HTTP, {name} may not be sent to {host}: apply a file that does so with "zastava catalogue apply" or ZASTAVA_CATALOGUE, which binds the variable to the host':
    'файл со страницы не может отправлять {name} на {host}: примените такой файл командой «zastava catalogue apply» или через ZASTAVA_CATALOGUE, это привяжет переменную к адресу',
  'the standard host of kind {kind}': 'обычный адрес вида {kind}',
  'the standard host of {package}': 'обычный адрес пакета {package}',
  'replace api_key: write only one of the two': 'заменяют api_key: оставьте одно из двух',
  'the value of {name} in the environment {problem}': 'значение {name} в окружении: {problem}',
  'must be one line of Latin letters, digits and punctuation':
    'нужна одна строка из латинских букв, цифр и знаков препинания',
  'the kind {kind} does not support it': 'вид {kind} этого не умеет',
  'unknown option: the kind {kind} has none': 'неизвестная настройка: у вида {kind} их нет',
  'unknown option{hint}: the kind {kind} has {names}':
    'неизвестная настройка{hint}: у вида {kind} есть {names}',
  'is missing: the kind {kind} needs it': 'не указано, а виду {kind} это нужно',
  'must be a map of key and weight': 'нужны поля key и weight',
  'must be a list of keys, each with key and weight': 'нужен список ключей, у каждого key и weight',
  'must be at least one key': 'нужен хотя бы один ключ',
  'contain the same key twice: list it once, with a larger weight':
    'один ключ указан дважды: оставьте его один раз с большим весом',
  'must be a map of option names to text': 'нужен набор настроек с текстом',
  'must be a map of header names to text': 'нужен набор заголовков с текстом',
  'contain the same header twice': 'один заголовок указан дважды',
  'is not the name of a header, of at most {max} characters':
    'это не имя заголовка (не больше {max} символов)',
  'is set by the gateway: leave it out': 'это задаёт сам шлюз: уберите',
  'must be a map of fields': 'нужен набор полей',
  'must have at most {max} bytes of JSON': 'нужно не больше {max} байт JSON',
  'is set by the gateway in each request: leave it out':
    'это задаёт шлюз в каждом запросе: уберите',
  'has no variables, since it is shown: put secrets into headers':
    'переменных здесь нет, потому что это показывается: секреты пишите в headers',
  'would change how much an answer can cost: leave it out':
    'от этого изменилась бы предельная стоимость ответа: уберите',
  'must be an http:// or https:// address': 'нужен адрес http:// или https://',
  'must not contain a password: use api_key': 'не должно содержать пароль: для него есть api_key',
  'must not contain a query (?…) or a fragment (#…)':
    'не должно содержать запрос (?…) или фрагмент (#…)',
  'write a reference to an environment variable as ${NAME}, in letters, digits and _':
    'ссылку на переменную окружения пишите как ${ИМЯ}: латинские буквы, цифры и _',
  "must not refer to the gateway's own settings (ZASTAVA_…)":
    'не должно ссылаться на настройки самого шлюза (ZASTAVA_…)',
  '(set) keeps a stored key or header, but this provider has none stored for this kind, address and options: write the key or ${NAME}':
    '(set) оставляет сохранённый ключ или заголовок, но для этого вида, адреса и настроек ничего не сохранено: напишите ключ или ${ИМЯ}',
};
