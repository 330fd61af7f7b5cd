import type { Sentences } from '../../lib/sentences.ts';

export const ofFields: Sentences = {
  '{path}: {problem}': '{path}: {problem}',
  'is required': 'нужно указать',
  'must not be empty': 'не должно быть пустым',
  'must not be negative': 'не должно быть отрицательным',
  'must be {wanted}': 'нужно: {wanted}',
  'a string': 'текст',
  'a number': 'число',
  'a whole number': 'целое число',
  'true or false': 'true или false',
  'at least {n}': 'не меньше {n}',
  'at most {n}': 'не больше {n}',
  'a string of at least {n} characters': 'не меньше {n} символов',
  'a string of at most {n} characters': 'не больше {n} символов',
  'a list of at least {n}': 'в списке не меньше {n}',
  'a list of at most {n}': 'в списке не больше {n}',
  'must have at most {max} characters': 'нужно не больше {max} символов',
  'must be a whole number from 1 to {max}': 'нужно целое число от 1 до {max}',
  'must be a day as YYYY-MM-DD': 'нужен день вида ГГГГ-ММ-ДД',
  'must not be after `to`': 'должно быть не позже конца',
  'must not be after today': 'должно быть не позже сегодняшнего дня',
  'must be after from': 'должно быть позже начала',
  'give this or price_version': 'укажите или долю, или версию цены',
  'is a version of model {id}': 'это версия модели {id}',
  'has no price': 'без цены',
  'the range must have at most {days} days': 'в промежутке может быть не больше {days} дней',
  'must be a decimal number such as 92.5, at least 0': 'нужно число не меньше 0, например 92.5',
  'must be rubles for a dollar, above 0 and at most {limit}':
    'нужны рубли за доллар: больше 0 и не больше {limit}',

  'the file is empty: it has no header line': 'файл пуст: в нём нет строки заголовков',
  'the file is not CSV: {problem}': 'это не CSV: {problem}',
  'the file has no line with a date, a model and tokens':
    'в файле нет ни одной строки с датой, моделью и токенами',
  'the file needs columns of tokens with an id, or with a date and a model; it has {header}: assign them (over HTTP with the field columns), e.g. --columns "{example}"':
    'в файле нужны столбцы токенов с номером или с датой и моделью, а есть {header}: укажите их в поле «Столбцы», например {example}',
  'the file has no column "{name}": it has {header}':
    'в файле нет столбца «{name}», есть: {header}',
  '"{pair}": write FIELD=COLUMN, of {fields}': '«{pair}»: нужно ПОЛЕ=СТОЛБЕЦ, поля: {fields}',
  '"{pair}": write FILE_NAME=OUR_NAME, of a model of the catalogue':
    '«{pair}»: нужно ИХ_ИМЯ=НАШЕ_ИМЯ модели каталога',
  '{code} is not a provider of the catalogue': 'поставщика {code} в каталоге нет',

  'the request body is larger than {size}': 'слишком много данных: можно не больше {size}',
  'the request body was cut off': 'данные пришли не целиком: попробуйте ещё раз',
  'the server is stopping; nothing was charged, try again':
    'сервер останавливается; ничего не списано, попробуйте ещё раз',
  'the server is starting; nothing was charged, try again':
    'сервер запускается; ничего не списано, попробуйте ещё раз',
  'the database is unavailable; try again in a moment':
    'база данных недоступна; попробуйте через минуту',
  'the image store is unavailable; try again in a moment':
    'хранилище картинок недоступно; попробуйте через минуту',

  'give a web address such as example.com': 'нужен адрес сайта, например example.com',
  'give an http or https address, or only a domain': 'нужен адрес http или https, или только домен',
  'give a web address such as https://example.com/':
    'нужен адрес сайта, например https://example.com/',
  'give a domain instead of an IP address': 'нужен домен, а не IP-адрес',
  'give a domain below the public suffix, such as example.com instead of com':
    'нужен домен внутри зоны, например example.com вместо com',
  'give a full domain such as example.com': 'нужен полный домен, например example.com',
  'give a domain of letters, digits and hyphens, at most 63 characters between two dots':
    'в домене могут быть буквы, цифры и дефисы, между точками не больше 63 символов',

  'release {name} exists already: give another name': 'выпуск {name} уже есть: дайте другое имя',
  'must be 1 to 64 letters, digits, ".", "_" and "-"':
    'нужно от 1 до 64 латинских букв, цифр и знаков . _ -',
  'give at most {max} domains': 'можно не больше {max} доменов',
  'give a whole number from 1': 'нужно целое число от 1',
  'must be given, or else a source': 'укажите домены или источник',
  'the list is not CSV: {problem}': 'это не CSV: {problem}',
  'this node has no job with that id: list its jobs': 'на этом узле нет такого задания',
};
