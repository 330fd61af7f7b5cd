/** A client that uses only the documented interface. */

export interface Answer {
  status: number;
  /** `error.code` of an error answer. */
  code: string | undefined;
  data: Record<string, unknown>;
  headers: Headers;
}

/** Undefined: the connection broke, so the client does not know the outcome of its request. */
export async function post(
  url: string,
  token: string | undefined,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
  signal?: AbortSignal,
): Promise<Answer | undefined> {
  try {
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...headers,
      },
      body: JSON.stringify(body),
      ...(signal && { signal }),
    });
    const answer = (await response.json()) as {
      data?: Record<string, unknown>;
      error?: { code: string };
    };
    const { status, headers: received } = response;
    return { status, code: answer.error?.code, data: answer.data ?? {}, headers: received };
  } catch {
    return undefined;
  }
}

/** A post that must succeed. */
export async function postOk(
  url: string,
  token: string | undefined,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Record<string, unknown>> {
  const answer = await post(url, token, path, body, headers);
  if (answer?.status !== 200) throw new Error(`${path}: ${answer?.status} ${answer?.code}`);
  return answer.data;
}

export const ADMIN = { login: 'admin', password: 'torture-password' };

/** @param address of the client, for a server that trusts this machine as a proxy */
export async function login(
  url: string,
  who: { login: string; password: string },
  address?: string,
): Promise<string> {
  const headers: Record<string, string> = address ? { 'x-forwarded-for': address } : {};
  return String((await postOk(url, undefined, '/auth/login/', who, headers))['token']);
}

export function loginAsAdmin(url: string): Promise<string> {
  return login(url, ADMIN);
}

export async function newRoom(url: string, token: string): Promise<string> {
  return String((await postOk(url, token, '/ai/room/', {}))['room_id']);
}
