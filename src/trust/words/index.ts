import { enTrustSentences } from './en-sentences.ts';
import { enTrustLabels } from './en.ts';
import { ruTrustSentences } from './ru-sentences.ts';
import { ruTrustLabels } from './ru.ts';
import type { Language, TrustWords } from './words.ts';

export { colourWords } from './labels.ts';
export { diffWords } from './diff.ts';
export { otherReasons, partsOf, type Part as TrustPart } from './parts.ts';
export { colourRule, sentenceOf, summaryOf } from './sentences.ts';
export { siteFactsOf } from './site-facts.ts';
export { languages, type Language, type SiteFacts, type TrustWords } from './words.ts';

export const trustWords: Readonly<Record<Language, TrustWords>> = {
  en: { ...enTrustSentences, ...enTrustLabels },
  ru: { ...ruTrustSentences, ...ruTrustLabels },
};
