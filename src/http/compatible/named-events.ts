import type { StreamEvent } from '../../chat/index.ts';
import type { EventWriter } from '../event-stream.ts';
import type { VersionNames } from './models.ts';

/** A stream's event. Once the answering model is known, `served` has its name. */
export type NamedEvent =
  Exclude<StreamEvent, { type: 'served' }> | { type: 'served'; model: string };

export type NamedEventWriter = (event: NamedEvent) => string;

/** Adds the name of the model that answers. */
export function namedWriter(write: NamedEventWriter, nameOf: VersionNames): EventWriter {
  const writeServed = (model: string) => write({ type: 'served', model });
  return (event) => {
    if (event.type !== 'served') return write(event);
    const name = nameOf(event.versionId);
    return name instanceof Promise ? name.then(writeServed) : writeServed(name);
  };
}
