import { expect, type Page } from '@playwright/test';
import { demo, open, productUrl, signIn } from './people.ts';
import { test } from './story.ts';

/** Ways to say another site, or a script, where a path is expected. */
const elsewhere = [
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

/** One of each sort; a test of `safeRedirect` has many more. */
const some = ['//evil.example', '/\\evil.example', 'https://evil.example/', 'javascript:window.hurt=1'];

/** Notes every request to another site, which then gets no answer. */
function watchOthers(page: Page): string[] {
  const others: string[] = [];
  void page.route(
    (url) => url.origin !== new URL(productUrl()).origin && url.protocol !== 'data:',
    (route) => {
      others.push(route.request().url());
      return route.abort();
    },
  );
  return others;
}

const hereAlone = async (page: Page, way: string, others: readonly string[]) => {
  expect.soft(new URL(page.url()).origin, way).toBe(new URL(productUrl()).origin);
  expect.soft(await page.evaluate(() => 'hurt' in window), way).toBe(false);
  expect.soft(others, way).toEqual([]);
};

test('an address that leads on leads to pages of this site alone', async ({ page }) => {
  test.setTimeout(180_000);
  const others = watchOthers(page);
  await signIn(page, '/dashboard');
  const paths = elsewhere.flatMap((way, at) => [
    `/redirect/${at % 2 === 0 ? way : encodeURIComponent(way)}`,
    ...(some.includes(way)
      ? [`/authentication?redirect=${encodeURIComponent(way)}`, `/login?redirect=${encodeURIComponent(way)}`]
      : []),
  ]);
  for (const path of paths) {
    await page.goto(productUrl() + path);
    await expect(page.locator('h1').first()).toBeVisible();
    await expect(page).not.toHaveURL(/\/(redirect|authentication|login)\b/);
    await hereAlone(page, path, others);
  }
});

test('signing in leads to pages of this site alone', async ({ page }) => {
  test.setTimeout(180_000);
  const others = watchOthers(page);
  for (const way of some) {
    await page.context().clearCookies();
    await open(page, `/login?redirect=${encodeURIComponent(way)}`);
    await page.evaluate(() => localStorage.removeItem('signedIn'));
    await page.getByLabel('Email').fill(demo.email);
    await page.getByLabel('Password', { exact: true }).fill(demo.password);
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => !url.pathname.startsWith('/login'));
    await expect(page.locator('h1').first()).toBeVisible();
    await hereAlone(page, `/login?redirect=${way}`, others);
  }
});

test('the server sends nobody anywhere', async ({ request }) => {
  for (const way of elsewhere) {
    for (const path of [
      way.startsWith('/') ? way : `/${way}`,
      `/login?redirect=${encodeURIComponent(way)}`,
      `/?next=${encodeURIComponent(way)}&returnUrl=${encodeURIComponent(way)}`,
      `/pay/x?returnUrl=${encodeURIComponent(way)}`,
      `/api/docs?url=${encodeURIComponent(way)}`,
    ]) {
      const response = await request.get(productUrl() + path.replaceAll(/[\r\n\t]/g, encodeURIComponent), {
        maxRedirects: 0,
      });
      expect([path, response.headers().location]).toEqual([path, undefined]);
      expect([200, 400, 404]).toContain(response.status());
    }
  }
});

test('the page’s files are there, and neither their sources nor what is hidden', async ({
  page,
  request,
}) => {
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
