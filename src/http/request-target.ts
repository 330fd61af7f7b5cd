import { DomainError } from '../lib/errors.ts';
import { failure } from './errors.ts';
import { markAnswer, requestIdOf } from './request-facts.ts';
import type { SocketEvents } from './sockets.ts';

type Connection = Bun.Server<SocketEvents>;
type Answer = (request: Request, connection: Connection) => Response | Promise<Response>;
type RoutedRequest = Request & { params: Record<string, string> };
type Route = (request: RoutedRequest, connection: Connection) => Response | Promise<Response>;

/** More segments than any path of the gateway has. */
const SEGMENTS_MAX = 8;
const BAD_REQUEST = 400;

/**
 * Paths of sends. These targets are plain, so no further check is needed; it would take 1 % of a send's time. Nothing
 * in them depends on `Host` except the URLs of images in their own answers.
 */
const SENDS = ['/ai/send', '/v1/chat/completions', '/v1/messages', '/v1/responses'];

/** Segments that proxies and URL parsers read differently. Parameters of routes contain no percent escapes. */
const isAmbiguous = (segment: string) =>
  segment === '.' || segment === '..' || segment.includes('\\');

/** A percent escape of a character that needs none: some proxies do not decode it when they match a path. */
const needlessEscape = /^[^?#]*%(?:2[de]|3\d|[46][1-9a-f]|[57][\da]|5f|7e)/i;

/** A path of one of the routes, in a URL with or without its origin. */
const routedPath = new RegExp(
  `^(?:https?://[^/?#]*)?/(?:[^/?#]+(?:/[^/?#]+){0,${SEGMENTS_MAX - 1}}/?)?(?:[?#]|$)`,
  'i',
);

/**
 * Refuses targets such as `/x/..\admin/users/`. A proxy may read them as another path than this server, and pass them
 * on although its rules forbid `/admin/`. `request.url` does not show them, since the runtime normalizes it. But the
 * runtime's router reads the target as it was sent, so these routes only look at its segments.
 * @param answer the handler of all requests
 * @returns options of `Bun.serve`
 */
export function refuseAmbiguousTargets(answer: Answer): {
  routes: Record<string, Route>;
  fetch: Answer;
} {
  const routed: Route = (request, connection) => {
    if (Object.values(request.params).some(isAmbiguous) || needlessEscape.test(request.url)) {
      return refused(request, ambiguousPath);
    }
    return isTwoHosts(request) ? refused(request, twoHosts) : answer(request, connection);
  };
  const routes: Record<string, Route> = { '/': routed };
  for (const send of SENDS) routes[send] = routes[`${send}/`] = answer;
  let path = '';
  for (let segment = 1; segment <= SEGMENTS_MAX; segment++) {
    path += `/:segment${segment}`;
    routes[path] = routed;
    routes[`${path}/`] = routed;
  }
  return {
    routes,
    // The target has an empty segment, or too many segments. If its normalized path has neither, the target was
    // disguised.
    fetch: (request, connection) =>
      routedPath.test(request.url) ? refused(request, ambiguousPath) : answer(request, connection),
  };
}

/** The runtime joins the values of repeated `Host` headers. A proxy may have used either of them. */
function isTwoHosts(request: Request): boolean {
  return request.headers.get('host')?.includes(',') === true;
}

const ambiguousPath =
  'the path must have no dot segments (. or ..), backslashes, or escapes of letters, digits and -._~';
const twoHosts = 'the request must have one Host header';

function refused(request: Request, reason: string): Response {
  const requestId = requestIdOf(request);
  const { body, headers } = failure(new DomainError('invalid_request', reason), requestId);
  return markAnswer(new Response(body, { status: BAD_REQUEST, headers }), requestId);
}
