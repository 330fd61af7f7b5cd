import { runStatements, type Migration } from './migration.ts';

/** For the lists of admins: the usage of all users by day, and the versions of a model. */
export const adminLists: Migration = {
  number: 18,
  name: 'admin-lists',
  up: (tx) => runStatements(tx, statements),
};

const statements = `
CREATE INDEX usage_daily_by_day ON usage_daily (day);
CREATE INDEX model_versions_by_model ON model_versions (model_id, id);
`;
