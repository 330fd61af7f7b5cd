import { asFields, type Fields } from '../import/fields.ts';
import type { Draft } from './draft.ts';

/** Other settings with which LiteLLM answers with a different model. */
const notTaken = [
  'context_window_fallbacks',
  'content_policy_fallbacks',
  'default_fallbacks',
  'model_group_alias',
] as const;

/** The `fallbacks` of LiteLLM's proxy: https://docs.litellm.ai/docs/proxy/reliability. Each is `{MODEL: [MODEL, …]}`. */
export function readRouting(config: Fields): Draft[] {
  return ['litellm_settings', 'router_settings'].flatMap((section): Draft[] => {
    const settings = asFields(config[section]) ?? {};
    const given = settings['fallbacks'];
    const pairs = (Array.isArray(given) ? given : []).flatMap((entry) =>
      Object.entries(asFields(entry) ?? {}),
    );
    const left = notTaken.filter((name) => settings[name] != null);
    return [
      ...pairs.map(([requested, to]): Draft => {
        const name = `${section}.fallbacks ${requested}`;
        const isList = Array.isArray(to) && to.every((each) => typeof each === 'string');
        return isList
          ? { name, requested, fallbacks: to }
          : { name, reason: 'it is not a list of model names' };
      }),
      ...left.map((name): Draft => {
        return { name: `${section}.${name}`, reason: 'it has no counterpart here' };
      }),
    ];
  });
}
