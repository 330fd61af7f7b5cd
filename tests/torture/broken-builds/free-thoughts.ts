/** Loaded before the product: every left stream stops its provider, also where a model thinks unseen. */
import { UnseenThoughts } from '../../../src/chat/index.ts';

UnseenThoughts.prototype.possible = () => false;
