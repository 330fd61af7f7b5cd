/** Loaded before the product: every left stream stops its provider, even if a model may have hidden reasoning. */
import { HiddenReasoning } from '../../../src/chat/index.ts';

HiddenReasoning.prototype.possible = () => false;
