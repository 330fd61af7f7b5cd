import type { Catalogue } from '../../catalogue/index.ts';
import type { Database } from '../../db/index.ts';
import { StoredResponses } from '../responses/stored-responses.ts';
import { History } from '../rooms/history.ts';
import { Search } from '../search/search.ts';
import type { Rooms } from '../rooms/rooms.ts';
import { AttemptLog } from './attempts.ts';
import { OperatorReport } from './report.ts';
import { UsageSums } from './usage-sums.ts';
import { UsageReport } from './usage-report.ts';

/** What users can read of their sends. */
export function openRecords(db: Database, catalogue: Catalogue, rooms: Rooms) {
  return {
    attempts: new AttemptLog(db, catalogue),
    history: new History(db, rooms),
    search: new Search(db, rooms),
    responses: new StoredResponses(db),
    usage: new UsageReport(db),
    usageSums: new UsageSums(db),
    report: new OperatorReport(db),
  };
}
