import type { CatalogueModel } from '../../catalogue/index.ts';
import type { Rooms, Sender } from '../../chat/index.ts';
import type { ImageStore } from '../../images/index.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { Authenticator } from '../../users/index.ts';

/** What the OpenAI- and Anthropic-compatible interfaces stand on. */
export interface CompatibleParts {
  authenticator: Authenticator;
  sender: Sender;
  rooms: Rooms;
  images: ImageStore;
  clock: Clock;
  log: Log;
  /** The models that a user may use, by id. */
  modelsOf: (userId: number) => Promise<CatalogueModel[]>;
}
