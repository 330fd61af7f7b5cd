import type { Messages } from '../en.ts';

export const developers: Messages['developers'] = {
  hint: 'Любой клиент OpenAI или Anthropic работает здесь, если заменить в нём две вещи: базовый адрес и ключ.',
  baseUrl: 'Базовый адрес',
  key: 'Ключ',
  makeKey: 'Создайте его в разделе',
  keys: 'Аккаунт → Ключи API',
  variable: 'Примеры ниже берут его из переменной',
  examples: 'Готовые примеры',
  reference: 'Все операции с их полями: их можно опробовать в браузере',
};
