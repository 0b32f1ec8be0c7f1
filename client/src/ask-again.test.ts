import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { askAgain } from './ask-again.ts';

/** An observed query. Its server reads the value at once, and answers when the test resolves `pending`. */
function observedQuery() {
  const client = new QueryClient();
  const pending: (() => void)[] = [];
  const server = { value: 'before' };
  const queryFn = () => {
    const read = server.value;
    return new Promise<string>((resolve) => pending.push(() => resolve(read)));
  };
  const observer = new QueryObserver(client, { queryKey: ['list', 1], queryFn });
  const unsubscribe = observer.subscribe(() => undefined);
  return { client, server, pending, unsubscribe, shown: () => observer.getCurrentResult().data };
}

test('fetches again after a change during the first fetch', async () => {
  const { client, server, pending, unsubscribe, shown } = observedQuery();
  server.value = 'after';
  askAgain(client, ['list']);
  pending[0]?.();
  await vi.waitFor(() => expect(pending).toHaveLength(2));
  expect(shown()).toBe('before');
  pending[1]?.();
  await vi.waitFor(() => expect(shown()).toBe('after'));
  unsubscribe();
});

test('lets a fetch complete however often there are changes meanwhile, and then fetches once more', async () => {
  const { client, server, pending, unsubscribe, shown } = observedQuery();
  pending[0]?.();
  await vi.waitFor(() => expect(shown()).toBe('before'));
  server.value = 'first';
  askAgain(client, ['list']);
  await vi.waitFor(() => expect(pending).toHaveLength(2));
  server.value = 'last';
  for (let change = 0; change < 20; change++) askAgain(client, ['list']);
  pending[1]?.();
  await vi.waitFor(() => expect(shown()).toBe('first'));
  await vi.waitFor(() => expect(pending).toHaveLength(3));
  pending[2]?.();
  await vi.waitFor(() => expect(shown()).toBe('last'));
  expect(pending).toHaveLength(3);
  unsubscribe();
});

test('repeats each fetch on its own, so that a slow one loses no change of another', async () => {
  const client = new QueryClient();
  const server = { value: 1 };
  const pending: Record<string, (() => void)[]> = { slow: [], quick: [] };
  const observers = ['slow', 'quick'].map((name) => {
    const queryFn = () => {
      const read = server.value;
      return new Promise<number>((resolve) => pending[name]?.push(() => resolve(read)));
    };
    return new QueryObserver(client, { queryKey: ['list', name], queryFn });
  });
  const stops = observers.map((observer) => observer.subscribe(() => undefined));
  const shown = () => observers[1]?.getCurrentResult().data;
  const answer = async (name: string, nth: number) => {
    await vi.waitFor(() => expect(pending[name]).toHaveLength(nth));
    pending[name]?.[nth - 1]?.();
  };
  for (const value of [2, 3]) {
    server.value = value;
    askAgain(client, ['list']);
    await answer('quick', value - 1);
    // It is fetched once more, although the slow one still waits for its first reply.
    await vi.waitFor(() => expect(pending.quick).toHaveLength(value));
  }
  await answer('slow', 1);
  await answer('quick', 3);
  await vi.waitFor(() => expect(shown()).toBe(3));
  for (const stop of stops) stop();
});

test('reads a query once, though two listeners ask for it', async () => {
  const { client, server, pending, unsubscribe, shown } = observedQuery();
  pending[0]?.();
  await vi.waitFor(() => expect(shown()).toBe('before'));
  server.value = 'after';
  askAgain(client, ['list']);
  askAgain(client, ['list', 1]);
  pending[1]?.();
  await vi.waitFor(() => expect(shown()).toBe('after'));
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(pending).toHaveLength(2);
  unsubscribe();
});

test('fetches existing data again only once, and only if the predicate matches', async () => {
  const { client, server, pending, unsubscribe, shown } = observedQuery();
  pending[0]?.();
  await vi.waitFor(() => expect(shown()).toBe('before'));
  server.value = 'after';
  askAgain(client, ['list']);
  await vi.waitFor(() => expect(pending).toHaveLength(2));
  pending[1]?.();
  await vi.waitFor(() => expect(shown()).toBe('after'));
  askAgain(client, ['list'], () => false);
  expect(pending).toHaveLength(2);
  unsubscribe();
});
