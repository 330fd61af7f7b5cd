import type { HttpApp, RequestFacts } from './request-facts.ts';

/** An app that gets its routes at its first request. */
export class LazyApp {
  readonly #create: () => HttpApp;
  readonly #mount: (app: HttpApp) => Promise<void>;
  #app: HttpApp | undefined;
  #loading: Promise<HttpApp> | undefined;

  /** @param create makes an app without routes */
  constructor(create: () => HttpApp, mount: (app: HttpApp) => Promise<void>) {
    this.#create = create;
    this.#mount = mount;
  }

  fetch(request: Request, facts: RequestFacts): Response | Promise<Response> {
    if (this.#app) return this.#app.fetch(request, facts);
    // Requests that arrive during the load wait for it. After a failure, the next request tries again.
    this.#loading ??= this.#load().finally(() => (this.#loading = undefined));
    return this.#loading.then((app) => app.fetch(request, facts));
  }

  async #load(): Promise<HttpApp> {
    const app = this.#create();
    try {
      await this.#mount(app);
      return (this.#app = app);
    } catch (error) {
      // Thrown in an app, the error is answered as any other, with the rules for all paths.
      return this.#create().all('*', () => {
        throw error;
      });
    }
  }
}
