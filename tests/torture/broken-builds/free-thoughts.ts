/** Loaded before the product: every left stream stops its provider, even if a model may have hidden thoughts. */
import { UnseenThoughts } from '../../../src/chat/index.ts';

UnseenThoughts.prototype.possible = () => false;
