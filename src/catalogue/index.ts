export { Catalogue, type CatalogueParts } from './catalogue.ts';
export { formatChange, type CatalogueChange } from './changes.ts';
export { parseCatalogue } from './file.ts';
export type { CatalogueListing } from './listing.ts';
export type { CatalogueModel, ModelPrice, ModelVersion, ModelView } from './model.ts';
export { presets } from './presets.ts';
export type { Preset, ProviderOption, ProviderSet } from './provider-set.ts';
export { sandboxModels } from './sandbox-models.ts';
export type { ProviderSetup } from './snapshot.ts';
