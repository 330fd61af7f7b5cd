/** Loaded before the product: an output is never cut, however much a provider writes. */
import { OutputLimit } from '../../../src/chat/send/output-limit.ts';

OutputLimit.prototype.mayPassWith = () => false;
