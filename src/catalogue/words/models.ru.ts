import type { Sentences } from '../../lib/sentences.ts';

/** Problems with the models of a catalogue file, their prices and costs: each English sentence in Russian. */
export const ofModels: Sentences = {
  catalogue: 'каталог',
  'provider {name}': 'поставщик {name}',
  'model {name}': 'модель {name}',
  'must be a list of models': 'нужен список моделей',
  'must be a map with at least provider, model, type and the token limits':
    'нужен набор полей, по меньшей мере provider, model, type и пределы токенов',
  'unknown provider{hint}: define it under providers':
    'неизвестный поставщик{hint}: опишите его в providers',
  'must be TEXT or IMAGE': 'нужно TEXT или IMAGE',
  'needs type: {type}': 'для этого нужно type: {type}',
  'must not be above max_temperature ({limit})': 'не должно быть выше max_temperature ({limit})',
  "ids below {min} are reserved for Zastava's own models":
    'номера до {min} заняты собственными моделями Zastava',
  'no model has the id {id}': 'модели с номером {id} нет',
  'the models of Zastava itself keep their prices': 'цены собственных моделей Zastava не меняются',
  'id: the models of Zastava itself keep their prices':
    'цены собственных моделей Zastava не меняются',
  'the id {id} belongs to a model of type {type}, which cannot change: give this model a new id, or none':
    'номер {id} занят моделью типа {type}, тип не меняется: дайте этой модели новый номер или никакого',
  'this model had the id {id}, which line {line} now gives to another model: write "{example}" here, or choose another id there':
    'у этой модели был номер {id}, а строка {line} отдаёт его другой: напишите «{example}» здесь или возьмите другой номер там',
  'the model in line {line} has the same id': 'тот же номер у модели в строке {line}',
  'the model in line {line} has the same model_alias':
    'то же имя model_alias у модели в строке {line}',
  'the model in line {line} has the same provider, model and type: give each an id':
    'те же provider, model и type у модели в строке {line}: дайте каждой номер',
  'must be a list of model ids': 'нужен список номеров моделей',
  'must be the id of a model': 'нужен номер модели',
  'a model cannot be its own fallback': 'модель не может быть запасной для самой себя',
  'no model of this file has the id {id}': 'модели с номером {id} в этом файле нет',
  'model {id} is of another type': 'модель {id} другого типа',
  'model {id} is of another modality': 'модель {id} другой модальности',
  'model {id} is listed twice': 'модель {id} указана дважды',
  'model {id} has no price, but this model has one: give it a price':
    'у модели {id} нет цены, а у этой есть: задайте цену и ей',

  'the price was refused: {path} {problem}': 'цена отклонена: {path} {problem}',
  'must be an amount of rubles': 'нужна сумма в рублях',
  'must be an amount of the currency': 'нужна сумма в этой валюте',
  'must be 1, 1000 or 1000000': 'нужно 1, 1000 или 1000000',
  'needs {field} beside it': 'рядом нужно {field}',
  'needs a price or a cost beside it': 'рядом нужна цена или себестоимость',
  'output has a price and input has none, so input is free: write cost_input_tokens_rub, 0 if that is meant':
    'цена есть только у выхода, поэтому вход бесплатный: напишите cost_input_tokens_rub, пусть и 0',
  'must be a map of currency and amounts': 'нужны валюта и суммы',
  'must be a currency, e.g. USD': 'нужна валюта, например USD',
  'must be three capital letters, e.g. USD': 'нужны три заглавные латинские буквы, например USD',
  'must be a day, e.g. 2026-11-20': 'нужен день, например 2026-11-20',
  'must be a map of rub and date': 'нужны поля rub и date',
  'must be a map of currencies, each with rub and date': 'нужен набор валют, у каждой rub и date',
  'must be rubles for 1 of the currency': 'нужно, сколько рублей за 1 единицу валюты',
  'must be rubles for 1 of the currency, above 0 and at most {max}, with at most {decimals} decimals':
    'нужно, сколько рублей за 1 единицу валюты: больше 0, не больше {max}, знаков после запятой не больше {decimals}',
  'rubles need no rate: remove it': 'рублям курс не нужен: уберите',
  'rubles need no rate: remove rate and rate_date':
    'рублям курс не нужен: уберите rate и rate_date',
  'the cost of no model is in {currency}': 'в {currency} нет себестоимости ни у одной модели',
  'has no amount: write input_tokens, output_tokens, input_fix or output_fix':
    'нет ни одной суммы: напишите input_tokens, output_tokens, input_fix или output_fix',
  'comes to more than {max} ₽ per 1,000,000 tokens or per request':
    'выходит больше {max} ₽ за 1 млн токенов или за запрос',
  'needs a rate: write rates: at the top of the file, with {example}, or rate and rate_date here':
    'нужен курс: напишите в начале файла rates: с {example} или здесь rate и rate_date',
  'needs rate_date beside it: the day of the rate': 'рядом нужно rate_date: день курса',

  'must be a list of hours, each with utc and percent':
    'нужен список часов, у каждого utc и percent',
  'must be a map of utc, percent and perhaps days': 'нужны поля utc, percent и, если надо, days',
  'must name at least one window': 'нужен хотя бы один промежуток',
  'must be text such as "06:00-10:00"': 'нужен текст вида "06:00-10:00"',
  'must be hours in UTC, such as "06:00-10:00"': 'нужны часы UTC вида "06:00-10:00"',
  'must not be empty: use 00:00-24:00': 'не должно быть пустым: напишите 00:00-24:00',
  'must be a list of different days out of {days}': 'нужен список разных дней из {days}',

  '(set anew)': '(новый)',
  '(unreadable)': '(не читается)',
  '(set)': '(задан)',
};
