import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { show } from '../../workbench/testing/show.tsx';
import { useAction } from './use-action.ts';

const calls: string[] = [];
let finish: () => void = () => {};
let failNext = false;

function Rows(): ReactElement {
  const remove = useAction({
    mutationFn: async (name: string) => {
      calls.push(name);
      const isFailing = failNext;
      failNext = false;
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      if (isFailing) throw new Error('refused');
    },
  });
  return (
    <>
      <h1>Rows</h1>
      {['one', 'two'].map((name) => (
        <button key={name} type="button" onClick={() => remove.mutate(name)}>
          {name}
        </button>
      ))}
      <p role="status">{remove.status}</p>
    </>
  );
}

/** Clicks twice before anything can be rendered. */
const clickTwice = (name: string) => {
  const button = page.getByRole('button', { name }).element() as HTMLButtonElement;
  button.click();
  button.click();
};

test('a double click begins once, another object’s action runs beside it, and each can begin again afterwards', async () => {
  const client = new QueryClient();
  await show(
    <QueryClientProvider client={client}>
      <Rows />
    </QueryClientProvider>,
  );
  const status = page.getByRole('status');
  clickTwice('one');
  await expect.poll(() => calls).toEqual(['one']);
  const finishFirst = finish;
  clickTwice('two');
  await expect.poll(() => calls).toEqual(['one', 'two']);
  finishFirst();
  finish();
  await expect.element(status).toHaveTextContent('success');
  failNext = true;
  clickTwice('one');
  await expect.poll(() => calls).toEqual(['one', 'two', 'one']);
  finish();
  await expect.element(status).toHaveTextContent('error');
  clickTwice('one');
  await expect.poll(() => calls).toEqual(['one', 'two', 'one', 'one']);
  finish();
  await expect.element(status).toHaveTextContent('success');
});
