/** Loaded before the product: a body that can't be read is never answered. */
import { BodyReader } from '../../../src/http/index.ts';

const read = Reflect.get(BodyReader.prototype, 'read');
BodyReader.prototype.read = function (...args) {
  return read.apply(this, args).catch(() => new Promise<never>(() => undefined));
};
