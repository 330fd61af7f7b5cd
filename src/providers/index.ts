export {
  ProviderPool,
  type CallOutcome,
  type ObservedCall,
  type ProviderPoolOptions,
} from './pool.ts';
export { createProvider, providerKinds } from './registry.ts';
export { BREAKER_FAILURES, BREAKER_OPEN_MS } from './shared/breaker.ts';
export {
  noUsage,
  ProviderError,
  type Exchange,
  type FinishReason,
  type ImageAnswer,
  type ImageRequest,
  type Provider,
  type ProviderFault,
  type ProviderSetup,
  type TextAnswer,
  type TextPart,
  type TextRequest,
  type Usage,
} from './spec.ts';
