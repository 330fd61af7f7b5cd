import type { HttpApp, RequestFacts } from './request-facts.ts';

/** An app that is made at its first request. */
export class LazyApp {
  readonly #load: () => Promise<HttpApp>;
  #app: HttpApp | undefined;
  #loading: Promise<HttpApp> | undefined;

  constructor(load: () => Promise<HttpApp>) {
    this.#load = load;
  }

  fetch(request: Request, facts: RequestFacts): Response | Promise<Response> {
    if (this.#app) return this.#app.fetch(request, facts);
    // Requests that arrive during the load wait for it. After a failure, the next request tries again.
    this.#loading ??= this.#load()
      .then((app) => (this.#app = app))
      .finally(() => (this.#loading = undefined));
    return this.#loading.then((app) => app.fetch(request, facts));
  }
}
