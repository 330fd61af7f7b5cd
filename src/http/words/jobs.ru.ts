import type { Sentences } from '../../lib/sentences.ts';

/** The steps of jobs on the link graph, and what goes wrong in them: in Russian. */
export const ofJobs: Sentences = {
  vertices: 'вершины',
  names: 'имена',
  edges: 'рёбра',
  out: 'исходящие ссылки',
  in: 'входящие ссылки',
  checksums: 'контрольные суммы',
  pages: 'страницы',
  institutions: 'ссылки учреждений',
  comparing: 'сравнение с прежним выпуском',
  'finding the seeds': 'поиск опорных доменов',
  'loading the rows': 'загрузка ссылок',
  'ranking {n} domains on {threads} threads': 'оценка доменов: {n}, потоков: {threads}',
  'writing the scores': 'запись оценок',

  'there is no graph yet: see zastava trust import --help, and zastava trust crawl --help':
    'графа ещё нет: импортируйте его или обойдите сайты',
  '{label} answered {status}: give the address of a file that needs no login':
    '{label}: ответ {status}, а нужен адрес файла, доступного без входа',
  "{label} can't be read beyond byte {offset} ({problem}): try again later":
    '{label} не читается дальше байта {offset} ({problem}): попробуйте позже',
  'no public server answers there; ZASTAVA_FETCH_ALLOW permits private ones':
    'там не отвечает ни один общедоступный сервер; внутренние разрешает ZASTAVA_FETCH_ALLOW',
  'the server answered {status}': 'сервер ответил {status}',
  'the connection ended early': 'соединение оборвалось',
  'no data arrived for too long': 'данные слишком долго не приходили',
  '{label} is damaged or cut short: fetch it again':
    '{label} повреждён или обрезан: скачайте его заново',
  'an import needs at least {n} MiB': 'для импорта нужно не меньше {n} МиБ',
  'release {name} exists already: give another name':
    'выпуск {name} уже есть: назовите этот по-другому',
  'release {name} was written by another version, or is damaged: import it again':
    'выпуск {name} записан другой версией или повреждён: импортируйте его заново',
  'its process ended without reporting an error ({how})':
    'его процесс закончился без объяснения ({how})',
  'its process ended without reporting an error ({how}): if memory ran out, set a smaller memory_mib':
    'его процесс закончился без объяснения ({how}): если не хватило памяти, задайте меньше МиБ',
  'trust reaches too few domains of this release: domains of a link farm may count as independent donors, so scores may be too high':
    'доверие доходит до слишком немногих доменов этого выпуска: домены ссылочной фермы могут считаться независимыми донорами, и баллы могут быть завышены',
  'no release had scores before, so there is nothing to compare with':
    'раньше оценённых выпусков не было, сравнивать не с чем',
  'no site waits to be read: name some with --seeds': 'ни один сайт не ждёт обхода: укажите домены',
};
