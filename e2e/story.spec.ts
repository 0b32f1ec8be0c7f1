import { expect, type Page } from '@playwright/test';
import { open } from './people.ts';
import { test } from './story.ts';

/** Puts a script into a page that the page does not know of. */
const smuggle = (page: Page) =>
  page.evaluate(() => {
    const script = document.createElement('script');
    script.textContent = 'window.smuggled = true';
    document.body.append(script);
  });

/** Throws where nobody catches it, and waits until that has been noticed. */
async function throwLater(page: Page): Promise<void> {
  const noticed = page.waitForEvent('pageerror');
  await page.evaluate(() => {
    setTimeout(() => {
      throw new Error('thrown on purpose');
    });
  });
  await noticed;
}

test('a story fails whose page violates the content security policy', async ({ page }) => {
  test.fail();
  await open(page, '/login');
  await smuggle(page);
});

test('so it does in a window of its own, which is closed by then', async ({ browser }) => {
  test.fail();
  const page = await browser.newPage();
  await open(page, '/login');
  await smuggle(page);
  await page.close();
});

test('a story fails whose page throws what nobody catches', async ({ page }) => {
  test.fail();
  await open(page, '/login');
  await throwLater(page);
});

test('a story fails whose page rejects what nobody awaits', async ({ page }) => {
  test.fail();
  await open(page, '/login');
  const told = page.waitForEvent('pageerror');
  await page.evaluate(() => void Promise.reject(new Error('rejected on purpose')));
  await told;
});

test.describe('on purpose', () => {
  test.use({ provoked: /script-src|thrown on purpose/ });

  test('it does not, where the story says so; what was smuggled in has not run', async ({ page }) => {
    await open(page, '/login');
    await smuggle(page);
    expect(await page.evaluate(() => 'smuggled' in window)).toBe(false);
    await throwLater(page);
  });
});
