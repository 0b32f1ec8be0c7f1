import { type BrowserContext, test as base, expect } from '@playwright/test';
import { productUrl } from './people.ts';
import { startProduct } from './product.ts';

/** The kinds of faults that fail a test, unless it provokes them on purpose. */
type Kind = 'CSP violation' | 'uncaught error';

/** A fault of a page. */
interface Fault {
  kind: Kind;
  text: string;
}

interface Options {
  /** Matches the text of faults that a test provokes on purpose. */
  provoked: RegExp | null;
}

/** The faults in all contexts of a worker's browser, including those opened in `beforeAll`. */
interface Watch {
  readonly faults: Fault[];
  readonly contexts: Set<BrowserContext>;
}

/** Name of the function by which pages report violations. */
const binding = '__reportViolation';

/**
 * Playwright's `test`, which also fails if any page of the test, in any context or frame, violates the
 * content security policy or has an uncaught error.
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
      await Promise.all([...contexts].map(flushReports));
      const unexpected = faults.splice(0).filter(({ text }) => !provoked?.test(text));
      expect(unexpected.map(({ kind, text }) => `${kind}: ${text}`)).toEqual([]);
    },
    { auto: true },
  ],
});

/** Watches a whole context. The listeners are in place before its first page opens. */
function watchContext(context: BrowserContext, report: (fault: Fault) => void): void {
  context.on('weberror', (error) => report({ kind: 'uncaught error', text: String(error.error()) }));
  // The browser's own messages also cover workers, and pages that closed before they could report.
  context.on('console', (message) => {
    const text = message.text();
    if (/content security policy/i.test(text)) report({ kind: 'CSP violation', text });
  });
  // A context that is closed at once needs neither.
  const ignore = () => undefined;
  context
    .exposeBinding(binding, ({ frame }, what: string) =>
      report({ kind: 'CSP violation', text: `${frame.url()}: ${what}` }),
    )
    .catch(ignore);
  context
    .addInitScript((name) => {
      addEventListener('securitypolicyviolation', (event) => {
        const { effectiveDirective, blockedURI, sourceFile, lineNumber, sample } = event;
        const report = (globalThis as Record<string, unknown>)[name];
        if (typeof report !== 'function') return;
        report(`${effectiveDirective} ${blockedURI} ${sample} (${sourceFile}:${lineNumber})`);
      });
    }, binding)
    .catch(ignore);
}

/** Waits until the pages that are still open have reported their violations. */
async function flushReports(context: BrowserContext): Promise<void> {
  await Promise.all(context.pages().map((page) => page.evaluate(() => true).catch(() => false)));
}
