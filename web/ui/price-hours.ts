import type { Model } from '../api/types.ts';
import { percent, weekday } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';

/** When other percentages of a model's usual prices apply, in words. @returns undefined: never */
export function priceHours({ cost_hours: hours }: Pick<Model, 'cost_hours'>): string | undefined {
  return hours
    ?.map(({ utc, days, percent: share }) => {
      const time = [
        ...(days ? [days.map(weekday).join(', ')] : []),
        `${utc.replace('-', '–')} UTC`,
      ];
      return t().priceHours(time.join(' '), percent(share / 100));
    })
    .join('; ');
}
