import type { Catalogue, CatalogueModel } from '../../catalogue/index.ts';
import type { Rooms, Sender } from '../../chat/index.ts';
import type { ImageStore } from '../../images/index.ts';
import type { Authenticator } from '../../users/index.ts';

/** What the OpenAI- and Anthropic-compatible interfaces use. */
export interface CompatibleParts {
  authenticator: Authenticator;
  sender: Sender;
  rooms: Rooms;
  images: ImageStore;
  catalogue: Pick<Catalogue, 'versionView'>;
  /** The models that are for a user, by id; a send refuses those that the user's limits do not allow. */
  modelsForUser: (userId: number) => Promise<CatalogueModel[]>;
  /** Those that the user may use, by id: for lists, since it asks the database. */
  modelsWithinLimits: (userId: number) => Promise<CatalogueModel[]>;
}
