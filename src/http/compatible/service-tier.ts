import { invalidField } from '../../lib/errors.ts';

/** Values that ask for the usual service. */
const usual: readonly unknown[] = ['auto', 'default', 'standard_only', null, undefined];

/** Another tier has another speed and another price. @throws `invalid_request` naming `service_tier` */
export function refuseOtherTiers(body: Record<string, unknown>): void {
  if (!usual.includes(body['service_tier'])) {
    throw invalidField('service_tier', 'is not supported here: leave it out');
  }
}
