import { expect, type Page } from '@playwright/test';
import { demo, open, productUrl, signIn } from './people.ts';
import { test } from './story.ts';

/** URLs of another site, and scripts, where a path is expected. */
const hostileTargets = [
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  'https:evil.example',
  'https://evil.example/',
  '%2f%2fevil.example',
  '/%2f%2fevil.example',
  '%5c%5cevil.example',
  '/.//evil.example',
  '/x/..//evil.example',
  '@evil.example',
  'javascript:window.hurt=1',
  'java\nscript:window.hurt=1',
  'data:text/html,<script>window.hurt=1</script>',
  '/\r\nLocation: https://evil.example',
  '\t//evil.example',
];

/** One of each kind; the test of `safeRedirect` has many more. */
const oneOfEachKind = [
  '//evil.example',
  '/\\evil.example',
  'https://evil.example/',
  'javascript:window.hurt=1',
];

/** Records and aborts every request to another site. */
function abortForeignRequests(page: Page): string[] {
  const foreignRequests: string[] = [];
  void page.route(
    (url) => url.origin !== new URL(productUrl()).origin && url.protocol !== 'data:',
    (route) => {
      foreignRequests.push(route.request().url());
      return route.abort();
    },
  );
  return foreignRequests;
}

const expectThisSite = async (page: Page, target: string, foreignRequests: readonly string[]) => {
  expect.soft(new URL(page.url()).origin, target).toBe(new URL(productUrl()).origin);
  expect.soft(await page.evaluate(() => 'hurt' in window), target).toBe(false);
  expect.soft(foreignRequests, target).toEqual([]);
};

test('redirect parameters lead only to pages of this site', async ({ page }) => {
  test.setTimeout(180_000);
  const foreignRequests = abortForeignRequests(page);
  await signIn(page, '/dashboard');
  const paths = hostileTargets.flatMap((target, at) => [
    `/redirect/${at % 2 === 0 ? target : encodeURIComponent(target)}`,
    ...(oneOfEachKind.includes(target)
      ? [
          `/authentication?redirect=${encodeURIComponent(target)}`,
          `/login?redirect=${encodeURIComponent(target)}`,
        ]
      : []),
  ]);
  for (const path of paths) {
    await page.goto(productUrl() + path);
    await expect(page.locator('h1').first()).toBeVisible();
    await expect(page).not.toHaveURL(/\/(redirect|authentication|login)\b/);
    await expectThisSite(page, path, foreignRequests);
  }
});

test('signing in leads only to pages of this site', async ({ page }) => {
  test.setTimeout(180_000);
  const foreignRequests = abortForeignRequests(page);
  for (const target of oneOfEachKind) {
    await page.context().clearCookies();
    await open(page, `/login?redirect=${encodeURIComponent(target)}`);
    await page.evaluate(() => localStorage.removeItem('signedIn'));
    await page.getByLabel('Email').fill(demo.email);
    await page.getByLabel('Password', { exact: true }).fill(demo.password);
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => !url.pathname.startsWith('/login'));
    await expect(page.locator('h1').first()).toBeVisible();
    await expectThisSite(page, `/login?redirect=${target}`, foreignRequests);
  }
});

test('the server sends no redirects', async ({ request }) => {
  for (const target of hostileTargets) {
    for (const path of [
      target.startsWith('/') ? target : `/${target}`,
      `/login?redirect=${encodeURIComponent(target)}`,
      `/?next=${encodeURIComponent(target)}&returnUrl=${encodeURIComponent(target)}`,
      `/pay/x?returnUrl=${encodeURIComponent(target)}`,
      `/api/docs?url=${encodeURIComponent(target)}`,
    ]) {
      const response = await request.get(productUrl() + path.replaceAll(/[\r\n\t]/g, encodeURIComponent), {
        maxRedirects: 0,
      });
      expect([path, response.headers().location]).toEqual([path, undefined]);
      expect([200, 400, 404]).toContain(response.status());
    }
  }
});

test('assets are served without source maps, and hidden files are not served', async ({ page, request }) => {
  const assets: string[] = [];
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (pathname.startsWith('/assets/')) assets.push(pathname);
  });
  await signIn(page, '/dashboard');
  await page.goto(`${productUrl()}/api/docs`);
  await expect(page.getByRole('heading', { name: /^Hengfu console API/ })).toBeVisible();
  expect(assets.length).toBeGreaterThan(3);
  for (const path of [
    ...assets.map((asset) => `${asset}.map`),
    '/.env',
    '/.git/config',
    '/.git/HEAD',
    '/.npmrc',
    '/.well-known/security.txt',
  ])
    expect([path, (await request.get(productUrl() + path)).status()]).toEqual([path, 404]);
  for (const path of new Set(assets)) {
    const text = await (await request.get(productUrl() + path)).text();
    expect([path, /sourceMappingURL/.test(text)]).toEqual([path, false]);
  }
});
