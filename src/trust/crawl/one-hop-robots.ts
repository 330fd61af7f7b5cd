import { Robots, type RobotsOptions, type RobotsVerdict } from '../page/robots.ts';

/** Thrown where a page redirects: where it leads to is a request of its own, perhaps of another site. */
export class Redirected extends Error {
  override readonly name = 'Redirected';
  readonly to: URL;

  constructor(to: URL) {
    super(`redirected to ${to.host}`);
    this.to = to;
  }
}

/**
 * The rules as a page reader asks for them before each hop, which makes this the place to stop at the
 * second one. The rules themselves are those that the whole crawl shares.
 */
export class OneHopRobots extends Robots {
  readonly #shared: Robots;
  #expected = '';

  constructor(shared: Robots, options: RobotsOptions) {
    super(options);
    this.#shared = shared;
  }

  /** Allows one hop, to this address. @param url without credentials and fragment */
  expect(url: URL): void {
    this.#expected = url.href;
  }

  /** @throws Redirected at any other address */
  override check(url: URL): Promise<RobotsVerdict> {
    if (url.href !== this.#expected) return Promise.reject(new Redirected(new URL(url)));
    return this.#shared.check(url);
  }
}
