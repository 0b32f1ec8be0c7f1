import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { askAgain } from './ask-again.ts';

/** A server with one value, whose answers are read at once and come when they are let through. */
function watched() {
  const client = new QueryClient();
  const onTheWay: (() => void)[] = [];
  const server = { value: 'before' };
  const queryFn = () => {
    const read = server.value;
    return new Promise<string>((resolve) => onTheWay.push(() => resolve(read)));
  };
  const observer = new QueryObserver(client, { queryKey: ['list', 1], queryFn });
  const leave = observer.subscribe(() => undefined);
  return { client, server, onTheWay, leave, shown: () => observer.getCurrentResult().data };
}

test('a change while the first answer is on its way is not missed', async () => {
  const { client, server, onTheWay, leave, shown } = watched();
  server.value = 'after';
  askAgain(client, ['list']);
  onTheWay[0]?.();
  await vi.waitFor(() => expect(onTheWay).toHaveLength(2));
  expect(shown()).toBe('before');
  onTheWay[1]?.();
  await vi.waitFor(() => expect(shown()).toBe('after'));
  leave();
});

test('data that is there is asked for once', async () => {
  const { client, server, onTheWay, leave, shown } = watched();
  onTheWay[0]?.();
  await vi.waitFor(() => expect(shown()).toBe('before'));
  server.value = 'after';
  askAgain(client, ['list']);
  await vi.waitFor(() => expect(onTheWay).toHaveLength(2));
  onTheWay[1]?.();
  await vi.waitFor(() => expect(shown()).toBe('after'));
  askAgain(client, ['list'], () => false);
  expect(onTheWay).toHaveLength(2);
  leave();
});
