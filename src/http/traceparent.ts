/**
 * W3C Trace Context in the form of version 00; anything else is not passed on. Version ff and ids of zeros
 * alone are invalid there.
 */
const traceparentPattern =
  /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/** The caller's trace context, to be passed on to the provider. */
export function traceparentOf(request: Request): string | undefined {
  const traceparent = request.headers.get('traceparent') ?? '';
  return traceparentPattern.test(traceparent) ? traceparent : undefined;
}
