import type { Sentences } from '../../lib/sentences.ts';

export const ofBooks: Sentences = {
  'every transfer balances': 'у каждой проводки дебет равен кредиту',
  'every transfer is between the accounts of its kind':
    'каждая проводка — между счетами своего вида',
  'every user with entries has an account': 'у каждого пользователя с проводками есть счёт',
  'every account has its user': 'у каждого счёта есть пользователь',
  'every balance equals its entries': 'каждый баланс равен сумме проводок',
  'every running balance follows from the one before': 'каждый баланс следует из предыдущего',
  'every held amount equals its open messages': 'удержано столько, сколько за открытые сообщения',
  'every API key with limits holds its open messages, and counts its charges':
    'каждый ключ с лимитами удерживает за открытые сообщения и учитывает свои списания',
  'every charge has its message, at its cost':
    'у каждого списания есть сообщение с этой стоимостью',
  'every message with a cost was charged, within its hold':
    'за каждое сообщение со стоимостью списано, и не больше удержанного',
  'every refund is of a message, and in all at most its charge':
    'каждый возврат — за сообщение, и всего не больше списанного',
  'the sums of days equal the charges': 'суммы по дням равны списаниям',
  'the sums of closed days equal those of their users':
    'суммы закрытых дней равны суммам пользователей за эти дни',
  'closed days have as many users and API keys as their sums':
    'у закрытых дней столько пользователей и ключей, сколько в их суммах',
  'running sums equal those before them, and the days between':
    'нарастающие суммы равны прежним вместе с днями между ними',
  'the database reopens closed days': 'база данных заново открывает закрытые дни',
  'the database refuses to change what is append-only':
    'база данных не даёт менять то, что только дополняется',
};
