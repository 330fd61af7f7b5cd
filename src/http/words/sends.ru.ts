import type { Sentences } from '../../lib/sentences.ts';

/** Why a send is refused or failed, what is left out of it, and problems with rooms, in Russian. */
export const ofSends: Sentences = {
  "the message with its system prompt is longer than the model's {max} input tokens: shorten it":
    'сообщение с системной инструкцией длиннее {max} токенов, которые принимает модель: сократите его',
  'this room has no message with this id': 'в этой комнате нет сообщения с таким номером',
  'you have no such room: obtain a room_id from /ai/room/ first': 'такой комнаты у вас нет',
  'you have opened {max} rooms, which is the most: use one of them again, also a deleted one, or ask the operator for more (ZASTAVA_USER_ROOMS_MAX)':
    'у вас уже {max} комнат, больше нельзя: пишите в одной из них или попросите оператора поднять предел (ZASTAVA_USER_ROOMS_MAX)',
  'must have a letter or a digit': 'нужна хотя бы одна буква или цифра',
  'must have at most {max} different words': 'разных слов может быть не больше {max}',

  'there is no model {id} that you may use: /ai/settings/ and /v1/models list them':
    'модели {id}, которой вы можете пользоваться, нет',
  'this model takes no earlier messages: send chat_depth 0, or choose a model with is_chat_mode_allowed 1':
    'эта модель не принимает прежних сообщений: передавайте 0 прежних или выберите другую модель',
  'this model takes no images: leave them out, or choose another model':
    'эта модель не принимает картинок: уберите их или выберите другую модель',
  'this model takes no files other than texts: leave them out, or choose another model':
    'эта модель принимает только текстовые файлы: уберите другие или выберите другую модель',
  'an image model takes none here: send them to /v1/images/edits':
    'модель, которая рисует, картинок здесь не принимает',
  'must be between 1 and {max}, the maximum of this model':
    'нужно от 1 до {max}, больше эта модель не отвечает',
  'must be between {from} and {to} for this model': 'для этой модели нужно от {from} до {to}',
  'must be an https URL, or a data: URL of an image in base64':
    'нужен адрес https или картинка в виде data: с base64',

  'the provider can not be reached now; nothing was charged, try again later':
    'поставщик сейчас недоступен; ничего не списано, попробуйте позже',
  'the provider is busy now; nothing was charged, try again later':
    'поставщик сейчас занят; ничего не списано, попробуйте позже',
  'the provider did not answer in time; nothing was charged':
    'поставщик не ответил вовремя; ничего не списано',
  "the provider's safety system refused this content: change the message":
    'система безопасности поставщика отклонила это содержание: измените сообщение',
  'this model can not take the request as it stands': 'эта модель не принимает такой запрос',
  'the provider answered with an error; nothing was charged':
    'поставщик ответил ошибкой; ничего не списано',
  "the provider refuses all of this server's keys for now; nothing was charged, try again later":
    'поставщик пока отклоняет все ключи этого сервера; ничего не списано, попробуйте позже',
  '{problem}; the usage that the provider reported was charged: {amount}':
    '{problem}; списано за то, о чём сообщил поставщик: {amount}',
  'the provider broke off the stream after it had to wait for this client; what was delivered was charged: {amount}':
    'поставщик оборвал ответ, потому что ваша сторона читала слишком медленно; списано за полученное: {amount}',
  'the provider did not complete the answer in time; what was delivered was charged: {amount}':
    'поставщик не закончил ответ вовремя; списано за полученное: {amount}',
  'the image could not be stored; nothing was charged, try again in a moment':
    'картинку не удалось сохранить; ничего не списано, попробуйте через минуту',
  'the database became unavailable before the answer was stored: your history shows whether it was charged, once the database is back':
    'база данных стала недоступна до того, как ответ был сохранён: когда она вернётся, списание будет видно в истории',
  'the answer is charged and in your history, but could not be delivered now: read it there':
    'ответ списан и есть в истории, но сейчас его не удалось передать: прочтите его там',

  'the first request with this Idempotency-Key is still running: wait for it, then repeat':
    'этот запрос ещё выполняется: дождитесь его',
  'the send that ran under this Idempotency-Key ended without an answer: the history shows it with include_failed':
    'этот запрос закончился без ответа',
  'the answer of this Idempotency-Key was deleted with its room; nothing was charged now: use another key for a new request':
    'ответ на этот запрос удалён вместе с комнатой; сейчас ничего не списано',
  'no send of yours has this key or id; one that was refused, or that failed, has freed its key':
    'такого запроса у вас нет: он отклонён или не удался',
  'only a send that was sent with detached: true can be stopped': 'этот запрос остановить нельзя',
  'you have {max} open streams and detached sends, which is the most: read, close or stop some of them first':
    'у вас уже {max} идущих ответов, больше нельзя: дождитесь их или остановите',

  'the request can cost up to {needed} ₽ and {available} ₽ are available: {hint}':
    'запрос может стоить до {needed} ₽, а доступно {available} ₽: {hint}',
  'top up the balance': 'пополните баланс',
  'top up, or send max_output_tokens of at most {max}':
    'пополните баланс или ограничьте ответ {max} токенами',
  'your messages and images take {stored} MiB, and {most} MiB are the most: delete rooms that you do not need (/ai/room/delete/), or ask the operator for more (ZASTAVA_USER_STORED_MIB)':
    'ваши сообщения и картинки занимают {stored} МиБ, а можно {most} МиБ: удалите ненужные комнаты или попросите оператора поднять предел (ZASTAVA_USER_STORED_MIB)',

  'your limit of requests a minute is reached: {hint}':
    'ваш лимит запросов в минуту исчерпан: {hint}',
  'the request can take up to {asked} tokens, and {left} are left of your limit a minute: {hint}':
    'запрос может занять до {asked} токенов, а из вашего лимита в минуту осталось {left}: {hint}',
  'the request can take up to {asked} tokens, and your limit is {whole} a minute: {hint}':
    'запрос может занять до {asked} токенов, а ваш лимит — {whole} в минуту: {hint}',
  'the request can cost up to {asked} ₽, and {left} ₽ are left of your limit a day: {hint}':
    'запрос может стоить до {asked} ₽, а из вашего лимита на день осталось {left} ₽: {hint}',
  'the request can cost up to {asked} ₽, and your limit is {whole} ₽ a day: {hint}':
    'запрос может стоить до {asked} ₽, а ваш лимит — {whole} ₽ в день: {hint}',
  'wait {seconds} s': 'подождите {seconds} с',
  'wait {seconds} s, or send max_output_tokens of at most {max}':
    'подождите {seconds} с или ограничьте ответ {max} токенами',
  'wait until {end}': 'подождите до {end}',
  'wait until {end}, or send max_output_tokens of at most {max}':
    'подождите до {end} или ограничьте ответ {max} токенами',
  'send at most {max}': 'ограничьте ответ {max} токенами',
  'send less, choose another model, or ask for a higher limit':
    'сократите запрос, выберите другую модель или попросите поднять лимит',
  'choose a cheaper model, send less, or ask for a higher limit':
    'выберите модель дешевле, сократите запрос или попросите поднять лимит',

  'max_output_tokens was lowered to {max}, the most that your balance covers':
    'ответ ограничен {max} токенами: на больше не хватает баланса',
  'max_output_tokens was lowered to {max}, the most that your balance and your limits cover':
    'ответ ограничен {max} токенами: на больше не хватает баланса и лимитов',
  '{field} has no meaning for an image model and was not sent':
    '{field} для модели, которая рисует, не имеет смысла и не передано',
};
