import type { ModelFacts } from './model.ts';
import type { ProviderFacts } from './provider-set.ts';

/** A model as a file defines it, with all defaults filled in. */
export interface FileModel {
  /** Undefined: matched by provider, model and type, or given a fresh one. */
  id: number | undefined;
  facts: ModelFacts;
  fallbacks: number[];
  /** Where it stands in the file's list, from 0. */
  index: number;
  line: number;
}

/** A catalogue file, valid in itself. */
export interface CatalogueFile {
  sandbox: boolean;
  providers: ProviderFacts[];
  models: FileModel[];
}
