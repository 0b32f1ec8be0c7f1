import { expect, type Page } from '@playwright/test';
import { open } from './people.ts';
import { test } from './story.ts';

/** Injects an inline script, which the content security policy must block. */
const injectScript = (page: Page) =>
  page.evaluate(() => {
    const script = document.createElement('script');
    script.textContent = 'window.injected = true';
    document.body.append(script);
  });

/** Throws an uncaught error, and waits until Playwright has reported it. */
async function throwUncaught(page: Page): Promise<void> {
  const reported = page.waitForEvent('pageerror');
  await page.evaluate(() => {
    setTimeout(() => {
      throw new Error('thrown on purpose');
    });
  });
  await reported;
}

test('a test fails if its page violates the content security policy', async ({ page }) => {
  test.fail();
  await open(page, '/login');
  await injectScript(page);
});

test('a test fails if a page in another context, closed by then, violates the policy', async ({
  browser,
}) => {
  test.fail();
  const page = await browser.newPage();
  await open(page, '/login');
  await injectScript(page);
  await page.close();
});

test('a test fails if its page throws an uncaught error', async ({ page }) => {
  test.fail();
  await open(page, '/login');
  await throwUncaught(page);
});

test('a test fails if its page has an unhandled rejection', async ({ page }) => {
  test.fail();
  await open(page, '/login');
  const reported = page.waitForEvent('pageerror');
  await page.evaluate(() => void Promise.reject(new Error('rejected on purpose')));
  await reported;
});

test.describe('provoked faults', () => {
  test.use({ provoked: /script-src|thrown on purpose/ });

  test('do not fail a test that declares them, and the injected script does not run', async ({ page }) => {
    await open(page, '/login');
    await injectScript(page);
    expect(await page.evaluate(() => 'injected' in window)).toBe(false);
    await throwUncaught(page);
  });
});
