import type { Page } from 'playwright-core';
import { PASSWORD } from '../../tests/support/gateway.ts';
import type { SmallWorld } from './small-world.ts';

/** A screen of the page, or a state of one. */
export interface Screen {
  name: string;
  path: string;
  /** A selector that is present once the screen has its content. */
  ready: string;
  /** Steps before the picture is taken. */
  prepare?: (page: Page) => Promise<void>;
  /** Whether the screen is for visitors: nobody is logged in. */
  isOpen?: boolean;
  /** False for screens that fill the window. */
  fullPage?: boolean;
}

/** All screens in the order of the page's areas. */
export function screensOf({ rooms, site, login, client, model, invitation }: SmallWorld): Screen[] {
  const menu = '.opens-menu';
  return [
    { name: 'login', path: '/app/login', ready: '[name=password]', isOpen: true },
    { name: 'register', path: `/app/register#${invitation}`, ready: '.facts', isOpen: true },
    {
      name: 'chat',
      path: `/app/chat/${rooms.code}`,
      ready: '.hljs-keyword',
      fullPage: false,
      prepare: async (page) => {
        await page.locator('.composer textarea').last().fill('And with a percentage?');
        await page.locator('.send .small:not(:empty)').waitFor();
      },
    },
    { name: 'chat-image', path: `/app/chat/${rooms.image}`, ready: '.drawn img', fullPage: false },
    { name: 'chat-russian', path: `/app/chat/${rooms.russian}`, ready: '.turn', fullPage: false },
    {
      name: 'chat-settings',
      path: `/app/chat/${rooms.code}`,
      ready: '.turn',
      fullPage: false,
      prepare: (page) => page.locator('.settings summary').click(),
    },
    {
      name: 'chat-rooms',
      path: `/app/chat/${rooms.code}`,
      ready: '.turn',
      fullPage: false,
      prepare: async (page) => {
        const opener = page.locator('.opens-rooms');
        if (await opener.isVisible()) await opener.click();
      },
    },
    { name: 'chat-new', path: '/app/chat', ready: '.composer', fullPage: false },
    { name: 'spend', path: '/app/spend', ready: 'table' },
    { name: 'transactions', path: '/app/spend/transactions', ready: 'table' },
    { name: 'trust', path: '/app/trust', ready: '[name=url]' },
    { name: 'trust-report', path: `/app/trust/${site}`, ready: 'table.bars' },
    { name: 'trust-unknown', path: '/app/trust/example.org', ready: 'button.primary' },
    { name: 'trust-list', path: '/app/trust/list', ready: 'textarea' },
    { name: 'account', path: '/app/account', ready: '.facts' },
    { name: 'account-keys', path: '/app/account/keys', ready: 'table' },
    {
      name: 'account-key',
      path: '/app/account/keys',
      ready: 'table',
      fullPage: false,
      prepare: async (page) => {
        await page.locator('tbody button').nth(2).click();
        await page.locator('dialog[open] details').waitFor();
      },
    },
    { name: 'account-access', path: '/app/account/access', ready: 'table' },
    {
      name: 'account-second-factor',
      path: '/app/account/access',
      ready: 'table',
      prepare: async (page) => {
        const form = page.locator('form', { has: page.locator('button[type=submit]') }).last();
        await form.locator('[name=password]').fill(PASSWORD);
        await form.locator('button[type=submit]').click();
        await page.locator('.qr').waitFor();
      },
    },
    { name: 'developers', path: '/app/developers', ready: 'pre' },
    { name: 'admin', path: '/app/admin', ready: 'table' },
    { name: 'admin-users', path: '/app/admin/users', ready: 'table' },
    { name: 'admin-user', path: `/app/admin/users/${client}`, ready: 'h2' },
    {
      name: 'admin-refund',
      path: `/app/admin/users/${client}`,
      ready: 'tbody button',
      fullPage: false,
      prepare: async (page) => {
        await page.locator('tbody td:last-child button').last().click();
        await page.locator('dialog[open]').waitFor();
      },
    },
    { name: 'admin-report', path: '/app/admin/report', ready: 'table' },
    { name: 'admin-vouchers', path: '/app/admin/vouchers', ready: 'table' },
    { name: 'admin-voucher-batch', path: '/app/admin/vouchers/1', ready: 'table' },
    { name: 'admin-invitations', path: '/app/admin/invitations', ready: 'table' },
    { name: 'admin-invitation', path: '/app/admin/invitations/1', ready: '.facts' },
    { name: 'admin-models', path: '/app/admin/models', ready: 'table' },
    { name: 'admin-model', path: `/app/admin/models/${model}`, ready: 'form' },
    { name: 'admin-reconcile', path: '/app/admin/reconcile', ready: 'form' },
    { name: 'admin-refunds', path: '/app/admin/refunds', ready: 'form' },
    { name: 'admin-audit', path: '/app/admin/audit', ready: 'table' },
    { name: 'admin-trust', path: '/app/admin/trust', ready: 'table' },
    {
      name: 'menu',
      path: '/app/account',
      ready: '.facts',
      fullPage: false,
      prepare: async (page) => {
        await page.locator(menu).click();
        await page.getByText(login).first().waitFor();
      },
    },
    {
      name: 'shortcuts',
      path: '/app/account',
      ready: '.facts',
      fullPage: false,
      prepare: async (page) => {
        await page.locator('h1').click();
        await page.keyboard.press('Shift+Slash');
        await page.locator('dialog[open]').waitFor();
      },
    },
    { name: 'docs', path: '/docs', ready: '.opblock-summary-path', fullPage: false },
  ];
}
