/** Which models a user may use, and when that is read from the database. */
import { expect, test } from 'bun:test';
import type { CatalogueModel } from '../../src/catalogue/index.ts';
import { modelsForUser } from '../../src/chat/index.ts';

const open = { id: 101, model: 'open', adminsOnly: false } as CatalogueModel;
const closed = { id: 102, model: 'closed', adminsOnly: true } as CatalogueModel;

function access(isAdmin: boolean) {
  const checked: number[] = [];
  const list = () => [open, closed];
  return {
    checked,
    catalogue: { list } as never,
    isAdmin: (userId: number) => {
      checked.push(userId);
      return Promise.resolve(isAdmin);
    },
  };
}

test('models for admins are only for admins', async () => {
  expect(await modelsForUser(access(true), 1)).toEqual([open, closed]);
  expect(await modelsForUser(access(false), 1)).toEqual([open]);
});

test('the database is read only if one of the models could be for admins', async () => {
  const user = access(false);
  expect(await modelsForUser(user, 1, ({ model }) => model === 'open')).toEqual([open]);
  expect(user.checked).toEqual([]);
  expect(await modelsForUser(user, 1, ({ model }) => model === 'closed')).toEqual([]);
  expect(user.checked).toEqual([1]);
});
