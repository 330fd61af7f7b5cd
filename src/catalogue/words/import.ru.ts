import type { Sentences } from '../../lib/sentences.ts';

/** What an import of prices reports about a list and its rows: each English sentence in Russian. */
export const ofImports: Sentences = {
  "the price list can't be read: {problem}": 'прайс-лист не читается: {problem}',
  'it is not a JSON object': 'это не объект JSON',
  'it has no models': 'в нём нет моделей',
  'it is neither api.json of models.dev nor model_prices_and_context_window.json of LiteLLM':
    'это ни api.json от models.dev, ни model_prices_and_context_window.json от LiteLLM',
  'it has more than {max} models: send only those of your providers, or use "zastava catalogue import"':
    'в нём больше {max} моделей: отправьте только модели своих поставщиков или примените список командой «zastava catalogue import»',
  'list: changes more than {max} models at once: ask for fewer, provider by provider, or use "zastava catalogue import"':
    'изменилось бы больше {max} моделей сразу: берите меньше, поставщик за поставщиком, или командой «zastava catalogue import»',
  'add: changes more than {max} models at once: ask for fewer, provider by provider, or use "zastava catalogue import"':
    'изменилось бы больше {max} моделей сразу: берите меньше, поставщик за поставщиком, или командой «zastava catalogue import»',
  'usd-rate: must be rubles per dollar, above 0 and at most {max}':
    'рублей за доллар нужно больше 0 и не больше {max}',
  'usd_rate: must be rubles for a dollar, above 0 and at most {max}':
    'рублей за доллар нужно больше 0 и не больше {max}',
  'add: at most {max} names may have *': 'имён со знаком * нужно не больше {max}',
  'add: a catalogue holds at most {max} models: add fewer':
    'в каталоге помещается {max} моделей: добавьте меньше',
  'markup: must be a percentage from 0 to {max}': 'наценка нужна от 0 до {max} процентов',

  'the list has no prices of provider {code}: if it has another name there, use --map {option}':
    'в списке нет цен поставщика {code}: если там он зовётся иначе, импортируйте командой с --map {option}',
  'the list has no such model from {source}': 'в списке нет такой модели от {source}',
  'the list has it as {problem}, not as {type}': 'в списке это {problem}, а не {type}',
  'something else': 'что-то другое',
  '{field} is not a price': '{field} — не цена',
  'its fallback {id} has no price: set one first, or remove the fallback':
    'у запасной модели {id} нет цены: сначала задайте цену или уберите запасную',
  'it is listed twice with different prices, as {names}':
    'указана дважды с разными ценами: {names}',
  'it makes embeddings: add it to a catalogue file by hand':
    'она делает эмбеддинги: добавьте её в файл каталога сами',
  'it completes texts and does not chat: add it to a catalogue file by hand':
    'она продолжает тексты, а не беседует: добавьте её в файл каталога сами',
  'it only works with the Responses API: add it by hand, at a provider with the option api: responses':
    'она работает только через Responses API: добавьте её сами, у поставщика с настройкой api: responses',
  'it has no token limits: add it to a catalogue file by hand':
    'нет пределов токенов: добавьте её в файл каталога сами',
  'its name is empty, longer than {max} characters or unprintable':
    'имя пустое, длиннее {max} символов или с непечатными знаками',
  'max_input_tokens {max} of {all}: longer inputs cost more':
    'max_input_tokens {max} из {all}: более длинный вход дороже',
  'it has no price': 'нет цены',
  'it has no price of an image': 'нет цены картинки',
  'it has no price of tokens': 'нет цены токенов',
  'it has no price of input tokens': 'нет цены входных токенов',
  'it has no price of output tokens': 'нет цены выходных токенов',
  'it is deprecated': 'модель устарела',
  'it has been deprecated since {day}': 'модель устарела {day}',
  'it has no mode': 'не указан режим (mode)',
  'it has no litellm_provider': 'нет поля litellm_provider',
  'it has no output modality': 'не указано, что она выдаёт',
  'it makes {kinds}': 'она выдаёт {kinds}',
  'its mode is {mode}, which is not supported': 'режим {mode} не поддерживается',
  'its mode is {mode}, which is not supported; {problem}':
    'режим {mode} не поддерживается; {problem}',
  'it is priced in tiers of input length': 'цена зависит от длины входа ступенями',
  'its price depends on size and quality, but a model here has one price':
    'цена зависит от размера и качества, а здесь у модели одна цена',
  'it is priced per second': 'цена за секунду',
  'it is priced per character': 'цена за символ',
  'it is priced per pixel': 'цена за пиксель',
  'it is priced per page': 'цена за страницу',
  'it is priced per audio token': 'цена за токен звука',
  'it is priced per query': 'цена за поиск',
  'it is priced per credit': 'цена за кредит',
  'it is priced per session': 'цена за сеанс',
  'it would cost more than 100,000,000 ₽ per 1,000,000 tokens':
    'вышло бы больше 100 000 000 ₽ за 1 млн токенов',
  'it is listed as free: with --allow-free it becomes free for everybody':
    'в списке цена нулевая: с «Принимать нулевые цены» модель станет бесплатной для всех',
  'its price is above $10,000 per 1,000,000 tokens: is it written per another number of tokens?':
    'цена выше $10 000 за 1 млн токенов: не указана ли она за другое число токенов?',
  'its price is above $100 a piece': 'цена выше $100 за штуку',
  'it costs more above {above} input tokens, and accepts {max}: lower its max_input_tokens, or take both prices with --long-context both':
    'от {above} входных токенов она дороже, принимает {max}. Уменьшите max_input_tokens или возьмите обе цены: команда с --long-context both',
  'it costs more above {above} input tokens, and accepts {max}, in {steps} steps: lower its max_input_tokens, or take the highest price with --long-context highest':
    'от {above} входных токенов она дороже, принимает {max}, ступеней: {steps}. Уменьшите max_input_tokens или возьмите высшую цену: команда с --long-context highest',
};
