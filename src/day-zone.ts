import { SettingError } from './config/index.ts';
import { readSetting, type Database } from './db/index.ts';
import { dayZoneNamed, useDayZone } from './lib/days.ts';

const SETTING = 'day_zone';
const DEFAULT = 'UTC';

/**
 * Uses the zone of a database for this process's days. The first start fixes it: sums, limits and statements of the
 * past are divided into its days. The days of a database older than this setting are UTC.
 * @param asked the setting; undefined: the zone that the database has
 * @throws SettingError if the database has another zone
 */
export async function openDayZone(db: Database, configured: string | undefined): Promise<void> {
  const zone = (await readSetting(db, SETTING)) ?? (await fixDayZone(db, configured));
  if (configured !== undefined && dayZoneNamed(configured) !== zone) {
    throw new SettingError(
      `ZASTAVA_DAY_ZONE: ${configured} is not the zone of this database, which is ${zone} since its first start: sums of days, limits and statements are cut by it. Set ZASTAVA_DAY_ZONE=${zone}, or leave it out; only a new database can have another zone`,
    );
  }
  useDayZone(zone);
}

/** @returns the zone that the database has afterwards: another node may have been first */
function fixDayZone(db: Database, configured: string | undefined): Promise<string> {
  return db.transaction(async (tx) => {
    const [user] = await tx.query('SELECT id FROM users LIMIT 1');
    const zone = user ? DEFAULT : (configured ?? DEFAULT);
    await tx.query('INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
      SETTING,
      zone,
    ]);
    return (await readSetting(tx, SETTING)) ?? zone;
  });
}
