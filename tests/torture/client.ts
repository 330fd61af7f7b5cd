/** A client as a user would write one: it knows the documented interface and nothing else. */

export interface Answer {
  status: number;
  /** `error.code` of an error answer. */
  code: string | undefined;
  data: Record<string, unknown>;
}

/** Undefined: the connection broke, so the client knows nothing of what became of its request. */
export async function post(
  url: string,
  token: string | undefined,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
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
    });
    const answer = (await response.json()) as {
      data?: Record<string, unknown>;
      error?: { code: string };
    };
    return { status: response.status, code: answer.error?.code, data: answer.data ?? {} };
  } catch {
    return undefined;
  }
}

/** A post that must succeed. */
export async function ask(
  url: string,
  token: string | undefined,
  path: string,
  body: unknown,
): Promise<Record<string, unknown>> {
  const answer = await post(url, token, path, body);
  if (answer?.status !== 200) throw new Error(`${path}: ${answer?.status} ${answer?.code}`);
  return answer.data;
}

export const ADMIN = { login: 'admin', password: 'torture-password' };

export async function loginAsAdmin(url: string): Promise<string> {
  return String((await ask(url, undefined, '/auth/login/', ADMIN))['token']);
}
