import { chat, shortcuts } from './en-chat.ts';
import { developers } from './en/developers.ts';
import { keys } from './en/keys.ts';
import { register } from './en/register.ts';
import { spend } from './en/spend.ts';
import { trust } from './en/trust.ts';

/** The words of the page. A translation has the same keys. */
export const en = {
  product: 'Zastava',
  skip: 'Skip to the content',
  navigation: 'Areas',
  menu: 'Menu',
  language: 'Language',
  theme: 'Theme',
  themeAuto: 'As the system',
  themeLight: 'Light',
  themeDark: 'Dark',
  logOut: 'Log out',
  available: 'Available',
  notFound: 'There is no such screen',
  notFoundHint: 'The address may be from another version of the page.',
  forOperators: 'This screen is for operators and admins',
  forAdmins: 'This screen is for admins',
  loading: 'Loading…',
  repeat: 'Repeat',
  reload: 'Reload',
  cancel: 'Cancel',
  copy: 'Copy',
  copied: 'Copied',
  csv: 'Download as CSV',
  csvReady: 'The file is ready',
  newVersion: 'The server has a new version of the page.',
  requestId: 'Request id',
  offline: 'No connection. Go on writing: what you type is kept.',

  areas: {
    chat: 'Chat',
    spend: 'Spend',
    trust: 'Trust',
    account: 'Account',
    admin: 'Administration',
    developers: 'For developers',
  },

  login: {
    title: 'Log in',
    login: 'Login',
    password: 'Password',
    show: 'Show the password',
    submit: 'Log in',
    wrong: 'The login or the password is wrong.',
    blocked: 'This user is blocked. Ask the administrator.',
    wait: (seconds: string) => `Too many attempts. Try again in ${seconds} s.`,
    ended: 'Your session has ended. Log in to go on: nothing on this page is lost.',
    confirm: 'Your password again',
    confirmHint: 'This can do great harm: give your password again to go on.',
    wrongPassword: 'The password is wrong.',
    goOn: 'Go on',
    mustChange: 'Your password is an initial one. Choose a new one to go on.',
  },

  register,
  keys,

  account: {
    title: 'Account',
    password: 'Password',
    current: 'Current password',
    next: 'New password',
    nextHint: 'At least 8 characters. All your sessions end.',
    change: 'Change the password',
    changed: 'The password is changed. Log in with the new one.',
    wrongCurrent: 'The current password is wrong.',
    balance: 'Balance',
    held: 'Held for messages in progress',
    creditLimit: 'Credit limit',
    requestsPerMinute: 'Requests a minute',
    tokensPerMinute: 'Tokens a minute',
    rublesPerDay: (zone: string) => `Rubles a day (${zone})`,
    rublesPerMonth: (zone: string) => `Rubles a month (${zone})`,
    rublesTotal: 'Rubles in all',
    models: 'Models',
    allModels: 'None chosen: all are allowed.',
    checksLeft: (zone: string) => `Trust checks left today (${zone})`,
    leftOf: (left: string, all: string) => `${left} of ${all}`,
    noLimit: 'no limit',
    access: 'Password and sessions',
    sessions: 'Sessions',
    sessionKind: 'Where',
    sessionKinds: {
      page: 'this page, in a browser',
      api: 'a program',
      cookie: 'the cookie interface',
    },
    sessionStarted: 'Since',
    sessionExpires: 'Ends unless used',
    thisSession: 'this session',
    endSession: 'End',
    endOf: (started: string) => `End the session since ${started}`,
    endOthers: 'End all others',
    sessionEnded: 'Ended',
    voucher: {
      title: 'Redeem a voucher',
      code: 'Code of the voucher',
      hint: 'In any case, with or without hyphens.',
      redeem: 'Redeem',
      done: (amount: string, balance: string) => `Credited: ${amount}. The balance is ${balance}.`,
      errors: {
        not_found: 'There is no voucher with this code.',
        voucher_used: 'Somebody has redeemed this voucher already.',
        voucher_ended: 'This voucher has expired or was revoked.',
        invalid_request: 'The code is mistyped: compare it with the voucher.',
      },
    },
    export: 'Your data',
    exportHint: 'Rooms with all messages, transactions, usage and keys, as one JSON file.',
    exportNow: 'Download everything',
  },

  chat,
  shortcuts,

  spend,

  trust,
  developers,

  errors: {
    offline: 'No connection to the server.',
    password_required: 'This needs your password. Nothing was changed.',
    overloaded: 'The server is busy. Nothing was charged; try again.',
    rate_limited: 'Too many requests. Wait a moment.',
    internal_error: 'The server has failed. Report the request id.',
  } as Readonly<Record<string, string>>,
};

export type Messages = typeof en;
