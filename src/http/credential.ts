/** The one place that reads a credential: the bearer token or API key of the Authorization header. */
export function credentialOf(request: Request): string | undefined {
  const header = request.headers.get('authorization');
  if (header === null) return undefined;
  return /^bearer +(\S+)$/i.exec(header.trim())?.[1] ?? '';
}
