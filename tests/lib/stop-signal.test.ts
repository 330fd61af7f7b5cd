import { describe, expect, test } from 'bun:test';
import { Stopper, toAbortSignal } from '../../src/lib/stop-signal.ts';

describe('a stopper', () => {
  test('calls its listeners once, in order, except those that left', () => {
    const stopper = new Stopper();
    const heard: string[] = [];
    const leaves = (): unknown => heard.push('left');
    stopper.addEventListener('abort', () => heard.push('first'));
    stopper.addEventListener('abort', leaves);
    stopper.addEventListener('abort', () => heard.push('second'));
    stopper.removeEventListener('abort', leaves);
    stopper.abort('why');
    stopper.abort('again');
    expect(heard).toEqual(['first', 'second']);
    expect(stopper.aborted).toBe(true);
    expect(stopper.reason).toBe('why');
  });

  test('has the reason of an abort controller when none is given', () => {
    const stopper = new Stopper();
    stopper.abort();
    expect(stopper.reason).toBeInstanceOf(DOMException);
    expect((stopper.reason as DOMException).name).toBe('AbortError');
  });

  test('follows other signals until it leaves them, also those that were already stopped', () => {
    const controller = new AbortController();
    const followed = new Stopper();
    const follower = new Stopper();
    const left = new Stopper();
    follower.follow(controller.signal);
    follower.follow(followed);
    left.follow(followed)();
    followed.abort('second');
    controller.abort('too late');
    expect(follower.reason).toBe('second');
    expect(left.aborted).toBe(false);
    left.follow(controller.signal);
    expect(left.reason).toBe('too late');
  });

  test('can be turned into an AbortSignal, which stops with it', () => {
    const { signal } = new AbortController();
    expect(toAbortSignal(signal)).toBe(signal);
    const stopper = new Stopper();
    const before = toAbortSignal(stopper);
    expect(before.aborted).toBe(false);
    stopper.abort('why');
    for (const native of [before, toAbortSignal(stopper)]) {
      expect(native).toBeInstanceOf(AbortSignal);
      expect(native.aborted).toBe(true);
      expect(native.reason).toBe('why');
    }
  });
});
