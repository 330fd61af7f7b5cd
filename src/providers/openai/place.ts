import { withPath } from '../shared/base-url.ts';

/** The addresses of a server's operations. */
export interface Place {
  baseUrl: string;
  /** Tried if the server has nothing below `baseUrl`. */
  otherBaseUrl: string | undefined;
  /** @param operation e.g. `/chat/completions` */
  pathOf(model: string, operation: string): string;
}

const azureHost = /\.(?:openai|cognitiveservices|services\.ai)\.azure\.(?:com|us|cn)$/;

/**
 * @param apiVersion the option `api_version`: Azure's older interface, with the deployment in the path:
 *   https://learn.microsoft.com/azure/ai-foundry/openai/reference
 */
export function placeOf(baseUrl: string, apiVersion: string | undefined): Place {
  const base = baseUrl.replace(/\/+$/, '');
  if (apiVersion !== undefined) {
    const query = `?api-version=${encodeURIComponent(apiVersion)}`;
    return {
      baseUrl: `${base.replace(/\/openai(?:\/v1)?$/, '')}/openai/deployments`,
      otherBaseUrl: undefined,
      pathOf: (model, operation) => `/${encodeURIComponent(model)}${operation}${query}`,
    };
  }
  const { hostname = '', pathname = '' } = URL.parse(base) ?? {};
  const isAzureRoot = azureHost.test(hostname) && /^\/(?:openai)?$/.test(pathname);
  return {
    baseUrl: isAzureRoot ? `${base.replace(/\/openai$/, '')}/openai/v1` : base,
    otherBaseUrl: isAzureRoot ? undefined : withPath(base, '/v1'),
    pathOf: (_model, operation) => operation,
  };
}
