import type { Catalogue, CatalogueModel } from '../../catalogue/index.ts';
import type { Rooms, Sender } from '../../chat/index.ts';
import type { ImageStore } from '../../images/index.ts';
import type { Authenticator } from '../../users/index.ts';

/** What the OpenAI- and Anthropic-compatible interfaces need. */
export interface CompatibleParts {
  authenticator: Authenticator;
  sender: Sender;
  rooms: Rooms;
  images: ImageStore;
  catalogue: Pick<Catalogue, 'versionView'>;
  /** A user's models, by id. A send refuses those that the user's limits exclude. */
  modelsForUser: (userId: number) => Promise<CatalogueModel[]>;
  /** The models within the user's limits, by id. For lists, since it asks the database. */
  modelsWithinLimits: (userId: number) => Promise<CatalogueModel[]>;
}
