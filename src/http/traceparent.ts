/** W3C Trace Context, version 00; anything else is not passed on. */
const traceparentPattern = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

/** The caller's trace context, to be passed on to the provider. */
export function traceparentOf(request: Request): string | undefined {
  const traceparent = request.headers.get('traceparent') ?? '';
  return traceparentPattern.test(traceparent) ? traceparent : undefined;
}
