import { type BrowserContext, test as base, expect } from '@playwright/test';
import { productUrl } from './people.ts';
import { startProduct } from './product.ts';

/** What a story's pages must not do, unless it is what the story is about. */
type Kind = 'CSP violation' | 'uncaught error';

/** Something that a page did and should not have. */
interface Fault {
  kind: Kind;
  text: string;
}

interface Options {
  /** What a story provokes on purpose: a fault of this text is no surprise then. */
  provoked: RegExp | null;
}

/** What all windows of a worker's browser were seen to do, those of `beforeAll`, too. */
interface Watch {
  readonly faults: Fault[];
  readonly contexts: Set<BrowserContext>;
}

/** Name of the function by which pages tell of violations. */
const binding = '__tellOfViolation';

/**
 * A story fails where any page of it, in any of its windows and frames, violates the content security policy or throws
 * what nobody catches.
 */
export const test = base.extend<Options & { faults: readonly Fault[] }, { watch: Watch; product: string }>({
  product: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright finds a fixture's dependencies in this pattern.
    async ({}, use) => {
      const stop = await startProduct();
      await use(productUrl());
      await stop();
    },
    { auto: true, scope: 'worker', timeout: 180_000 },
  ],
  provoked: [null, { option: true }],
  watch: [
    async ({ browser }, use) => {
      const watch: Watch = { faults: [], contexts: new Set() };
      browser.on('context', (context) => {
        watch.contexts.add(context);
        context.once('close', () => watch.contexts.delete(context));
        watchContext(context, (fault) => watch.faults.push(fault));
      });
      await use(watch);
    },
    { auto: true, scope: 'worker' },
  ],
  faults: [
    async ({ watch: { faults, contexts }, provoked }, use) => {
      await use(faults);
      await Promise.all([...contexts].map(heardOut));
      const surprises = faults.splice(0).filter(({ text }) => !provoked?.test(text));
      expect(surprises.map(({ kind, text }) => `${kind}: ${text}`)).toEqual([]);
    },
    { auto: true },
  ],
});

/** Listens to all of a window. What is asked for here is in force before its first page opens. */
function watchContext(context: BrowserContext, tell: (fault: Fault) => void): void {
  context.on('weberror', (error) => tell({ kind: 'uncaught error', text: String(error.error()) }));
  // The browser's own words: of workers, too, and of pages that were gone before they could tell.
  context.on('console', (message) => {
    const text = message.text();
    if (/content security policy/i.test(text)) tell({ kind: 'CSP violation', text });
  });
  // A window that is closed at once needs neither.
  const ignore = () => undefined;
  context
    .exposeBinding(binding, ({ frame }, what: string) =>
      tell({ kind: 'CSP violation', text: `${frame.url()}: ${what}` }),
    )
    .catch(ignore);
  context
    .addInitScript((name) => {
      addEventListener('securitypolicyviolation', (event) => {
        const { effectiveDirective, blockedURI, sourceFile, lineNumber, sample } = event;
        const tell = (globalThis as Record<string, unknown>)[name];
        if (typeof tell !== 'function') return;
        tell(`${effectiveDirective} ${blockedURI} ${sample} (${sourceFile}:${lineNumber})`);
      });
    }, binding)
    .catch(ignore);
}

/** Waits until pages that are still open have told what they had to tell. */
async function heardOut(context: BrowserContext): Promise<void> {
  await Promise.all(context.pages().map((page) => page.evaluate(() => true).catch(() => false)));
}
