import { chat, shortcuts } from './en-chat.ts';
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
  forDevelopers: 'For developers',
  notFound: 'There is no such screen',
  notFoundHint: 'The address may be from another version of the page.',
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
    mustChange: 'Your password is an initial one. Choose a new one to go on.',
  },

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
    rublesPerDay: 'Rubles a day (UTC)',
    checksLeft: 'Trust checks left today (UTC)',
    leftOf: (left: string, all: string) => `${left} of ${all}`,
    noLimit: 'no limit',
    keys: 'API keys',
    noKeys: 'You have no API keys.',
    newKey: 'New key',
    keyOnce: 'Copy the key now: it is not shown again.',
    keyName: 'Name',
    keyHint: 'Ends in',
    keyScope: 'Scope',
    keyCreated: 'Created',
    keyExpires: 'Expires',
    keyState: 'State',
    never: 'never',
    revoke: 'Revoke',
    revoked: 'revoked',
    scopes: { chat: 'chat only', full: 'all but administration', admin: 'administration' },
  },

  chat,
  shortcuts,

  spend,

  trust,

  errors: {
    offline: 'No connection to the server.',
    overloaded: 'The server is busy. Nothing was charged; try again.',
    rate_limited: 'Too many requests. Wait a moment.',
    internal_error: 'The server has failed. Report the request id.',
  } as Readonly<Record<string, string>>,
};

export type Messages = typeof en;
