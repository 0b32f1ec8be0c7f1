import { Component, type ReactNode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { onDemand } from './on-demand.tsx';

let root: Root;
let element: HTMLElement;

function render(content: ReactNode): void {
  element = document.body.appendChild(document.createElement('div'));
  root = createRoot(element);
  root.render(content);
}

function remove(): void {
  root.unmount();
  element.remove();
}

afterEach(remove);

class Boundary extends Component<{ children: ReactNode }> {
  override state: { error?: unknown } = {};

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    return this.state.error ? <p>failed</p> : this.props.children;
  }
}

const Greeting = ({ name }: { name: string }) => <p>Hello {name}</p>;

/** Waits until an element's text is as expected. Returns the number of frames until then. */
async function framesUntil(text: string): Promise<number> {
  for (let frames = 0; ; frames++) {
    if (element.textContent === text) return frames;
    await new Promise(requestAnimationFrame);
  }
}

test('shows the fallback until the code is there, and the content within the next frames', async () => {
  const { promise, resolve } = Promise.withResolvers<typeof Greeting>();
  const Part = onDemand(() => promise, <p>loading</p>);
  render(<Part name="Mai" />);
  await framesUntil('loading');
  resolve(Greeting);
  // React holds what `Suspense` reveals back for 300 ms: five frames even of a busy machine, whose frames take 60 ms.
  expect(await framesUntil('Hello Mai')).toBeLessThan(5);
});

test('is there at once if its code was prefetched', async () => {
  const Part = onDemand(async () => Greeting, <p>loading</p>);
  Part.prefetch();
  await new Promise((done) => setTimeout(done));
  const seen = new Set<string | null>();
  render(<Part name="Mai" />);
  while (element.textContent === '') await new Promise(requestAnimationFrame);
  seen.add(element.textContent);
  expect([...seen]).toEqual(['Hello Mai']);
});

test('reports a failed fetch to the error boundary, and tries again when it is shown anew', async () => {
  let tries = 0;
  const Part = onDemand(
    async () => {
      if (++tries === 1) throw new TypeError('Failed to fetch');
      return Greeting;
    },
    <p>loading</p>,
  );
  const content = (
    <Boundary>
      <Part name="Mai" />
    </Boundary>
  );
  const onError = (event: ErrorEvent) => event.preventDefault();
  addEventListener('error', onError);
  render(content);
  await expect.element(page.getByText('failed')).toBeVisible();
  remove();
  render(content);
  await expect.element(page.getByText('Hello Mai')).toBeVisible();
  removeEventListener('error', onError);
});

test('without a fallback it tries again by itself while it is shown', async () => {
  // A reload of this page would end the test: as after one that did not help, none follows.
  sessionStorage.setItem('reloadedForChunk', String(Date.now()));
  let tries = 0;
  const Part = onDemand(async () => {
    if (++tries === 1) throw new TypeError('Failed to fetch');
    return Greeting;
  });
  render(<Part name="Mai" />);
  await expect.element(page.getByText('Hello Mai'), { timeout: 6000 }).toBeVisible();
  expect(tries).toBe(2);
  sessionStorage.removeItem('reloadedForChunk');
});

test('what was opened is closed by Escape before its code is there, and what lies below stays open', async () => {
  const { promise, resolve } = Promise.withResolvers<(props: { onClose: () => void }) => ReactNode>();
  const Box = onDemand(() => promise);
  const closed: string[] = [];
  const closeBelow = () => closed.push('below');
  document.addEventListener('keydown', closeBelow);
  render(<Box onClose={() => closed.push('box')} />);
  await vi.waitFor(async () => {
    await userEvent.keyboard('{Escape}');
    expect(closed).toContain('box');
  });
  document.removeEventListener('keydown', closeBelow);
  expect(closed.at(-1)).toBe('box');

  const escapes = closed.length;
  resolve(() => <p>open</p>);
  await framesUntil('open');
  // From then on, Escape is the box's own.
  await userEvent.keyboard('{Escape}');
  expect(closed.length).toBe(escapes);
});

test('a part that the page can do without says that it is missing, and appears once its code is there', async () => {
  let tries = 0;
  const Part = onDemand(
    async () => {
      if (++tries === 1) throw new TypeError('Failed to fetch');
      return Greeting;
    },
    <p>loading</p>,
    <p>missing</p>,
  );
  render(
    <Boundary>
      <Part name="Mai" />
    </Boundary>,
  );
  await expect.element(page.getByText('missing')).toBeVisible();
  await expect.element(page.getByText('Hello Mai'), { timeout: 6000 }).toBeVisible();
  expect(tries).toBe(2);
});
