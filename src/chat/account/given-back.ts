import { priceAt, type Catalogue } from '../../catalogue/index.ts';
import { shareOfPercent, type GivenBack } from '../../ledger/index.ts';
import { invalidField } from '../../lib/errors.ts';

interface Asked {
  modelId: number;
  percent: number | string;
  /** A version of the model: the part of each charge above its price is refunded. */
  priceVersion: number | undefined;
}

/** @throws `invalid_request` for a bad percentage, a version that has no price or is of another model, or both of them */
export async function givenBackOf(
  catalogue: Catalogue,
  { modelId, percent, priceVersion }: Asked,
): Promise<GivenBack> {
  const share = shareOfPercent(percent);
  if (priceVersion === undefined) return share;
  if (Number(percent) !== 100) throw invalidField('percent', 'give this or price_version');
  const version = await catalogue.version(priceVersion);
  if (version.modelId !== modelId) {
    throw invalidField('price_version', `is a version of model ${version.modelId}`);
  }
  const { price } = version;
  if (!price) throw invalidField('price_version', 'has no price');
  return {
    at: (moment) => priceAt(version, moment) ?? price,
    isOfTexts: version.view.modality === 'text',
  };
}
