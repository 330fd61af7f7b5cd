export { Catalogue, type CatalogueParts } from './catalogue.ts';
export { formatChange, type CatalogueChange, type FieldChange } from './changes.ts';
export { parseCatalogue, type CatalogueFile, type FileModel, type KnownToFiles } from './file.ts';
export type { CatalogueListing, ListedModel, ListedProvider } from './listing.ts';
export type { CatalogueModel, ModelPrice, ModelType, ModelVersion, ModelView } from './model.ts';
export { presets } from './presets.ts';
export type { Preset, ProviderFacts, ProviderSet } from './provider-set.ts';
export { sandboxModels } from './sandbox-models.ts';
export type { ProviderSetup } from './snapshot.ts';
