import type { ModelFacts } from './model.ts';
import type { ProviderFacts } from './provider-set.ts';

/** A model of a file, with all defaults filled in. */
export interface FileModel {
  /** Undefined: matched by provider, model and type, or assigned. */
  id: number | undefined;
  facts: ModelFacts;
  fallbacks: number[];
  /** Its position in the file's list, from 0. */
  index: number;
  line: number;
}

/** The content of a valid catalogue file. */
export interface CatalogueFile {
  sandbox: boolean;
  providers: ProviderFacts[];
  models: FileModel[];
}
