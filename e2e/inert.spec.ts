import { type Browser, expect, type Page } from '@playwright/test';
import { type MarkedData, makeMarked, makeUserData, marked, type UserData } from './marked-data.ts';
import { menuPages } from './pages.ts';
import { open, operator, operatorAlone, productUrl, signIn } from './people.ts';
import { test } from './story.ts';

type Language = 'en' | 'zh-cn' | 'vi';
type State = Awaited<ReturnType<ReturnType<Page['context']>['storageState']>>;

const desktop = { width: 1440, height: 900 };
const phone = { width: 390, height: 844 };
let data: MarkedData;
let own: UserData;
let incident: string;
let state: State;

test.beforeAll(async ({ browser }) => {
  test.setTimeout(180_000);
  data = await makeMarked();
  // The browser sends this user agent, and the list of sessions shows it.
  const context = await browser.newContext({ userAgent: marked.userAgent });
  const page = await context.newPage();
  await signIn(page, '/dashboard', data.user);
  own = await makeUserData(page, data.user.password);
  state = await context.storageState();
  const texts = ['--title', marked.title, '--text', marked.note];
  const opened = await operator('incident', 'open', '--impact', 'degraded', ...texts);
  incident = String(opened.id);
});
test.afterAll(async () => {
  await operator('incident', 'resolve', incident, '--text', 'Over');
  await operatorAlone('contact', 'remove', 'website', 'https://contact.example/');
});

/** The texts that a page must show; pages not listed may show any. */
const shownAt = (): Record<string, readonly string[]> => ({
  '/collection/payments': [marked.outTradeNo],
  [`/collection/payments?open=${data.tradeNo}`]: [marked.outTradeNo, marked.subject, marked.address],
  '/behalfPay/transfers': [marked.payee],
  [`/behalfPay/transfers?open=${data.payoutNo}`]: [marked.payee, marked.remark, marked.branch],
  '/behalfPay/apply': [marked.payee],
  '/behalfPay/apply?mode=batch': [marked.file],
  [`/recharge/record?open=${data.topupNo}`]: [marked.reason],
  [`/withdrawal/record?open=${own.withdrawalNo}`]: [marked.reason],
  '/setting/personalData': [marked.user],
  '/contactUs': [marked.note],
  '/statusPages': [marked.title, marked.note],
});

/** Returns all text on a page, including the values of inputs, without its scripts and boot data. */
const textOf = (page: Page) =>
  page.evaluate(() => {
    const written = [...document.body.children].filter(({ tagName }) => !/SCRIPT$/.test(tagName));
    const fields = [...document.querySelectorAll<HTMLInputElement>('input, textarea')];
    return [...written.map(({ textContent }) => textContent), ...fields.map(({ value }) => value)].join('\n');
  });

/** Returns the elements that make the document wider than its window, if it is. */
const wideParts = (page: Page) =>
  page.evaluate(() => {
    if (document.documentElement.scrollWidth <= innerWidth) return [];
    const wide = [...document.querySelectorAll('body *')].filter(
      (element) => element.getBoundingClientRect().right > innerWidth,
    );
    return [
      `document: ${document.documentElement.scrollWidth}`,
      ...wide.map(({ outerHTML }) => outerHTML.slice(0, 200)),
    ];
  });

/**
 * Fails if a payload (see marked-data.ts) was more than text: if it ran, became an element or a link, or broke
 * the layout.
 */
async function expectInert(page: Page, where: string, texts: readonly string[] = []): Promise<void> {
  for (const text of texts)
    await expect.poll(() => textOf(page), { message: `${where} shows ${text}` }).toContain(text);
  // A resized window needs a moment for its layout.
  await expect
    .poll(() => wideParts(page), { message: `${where} fits the window`, timeout: 3000 })
    .toEqual([]);
  const found = await page.evaluate(() => ({
    ran: 'hurt' in window,
    made: [
      ...document.querySelectorAll(
        '[src="x"], [onerror], [onload], [onmouseover], iframe, meta[http-equiv=refresh], script:not([nonce]), a[href^="javascript:" i]',
      ),
    ].map(({ outerHTML }) => outerHTML),
  }));
  expect.soft(found, where).toEqual({ ran: false, made: [] });
}

/** Checks a page on a desktop, on a phone, and in print. */
async function expectInertEverywhere(page: Page, where: string, texts?: readonly string[]): Promise<void> {
  await expect(page.locator('h1').first()).toBeAttached();
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
  await expectInert(page, where, texts);
  await page.setViewportSize(phone);
  await expectInert(page, `${where}, on a phone`);
  await page.setViewportSize(desktop);
  await page.emulateMedia({ media: 'print' });
  await expectInert(page, `${where}, printed`);
  await page.emulateMedia({ media: 'screen' });
}

async function visitor(browser: Browser, language: Language, isSignedIn: boolean): Promise<Page> {
  const context = await browser.newContext({
    viewport: desktop,
    reducedMotion: 'reduce',
    userAgent: marked.userAgent,
    ...(isSignedIn && { storageState: state }),
  });
  await context.addCookies([{ name: 'language', value: language, url: productUrl() }]);
  await context.addInitScript((value) => {
    // A blank page has no storage.
    if (location.protocol === 'http:') localStorage.setItem('language', value);
  }, language);
  return context.newPage();
}

const viewsLabel = { en: 'Views', 'zh-cn': '视图', vi: 'Chế độ xem' };

for (const language of ['en', 'zh-cn', 'vi'] as const) {
  test(`payloads stay inert text on every page, ${language}`, async ({ browser }) => {
    test.setTimeout(300_000);
    const page = await visitor(browser, language, true);
    const shown = shownAt();
    for (const path of new Set([...menuPages, ...Object.keys(shown)])) {
      await page.goto(productUrl() + path);
      await expectInertEverywhere(page, path, shown[path]);
    }
    await page.context().close();
  });

  test(`payloads stay inert text in popovers and search, ${language}`, async ({ browser }) => {
    test.setTimeout(120_000);
    const page = await visitor(browser, language, true);
    await page.goto(`${productUrl()}/behalfPay/transfers`);
    await expect(page.getByRole('row').nth(1)).toBeVisible();
    for (const opener of await page.locator('main button[aria-haspopup=dialog]').all()) {
      await opener.click();
      const box = page.getByRole('dialog');
      await expect(box).toBeVisible();
      await expect(box.locator('[aria-busy=true]')).toHaveCount(0);
      if ((await opener.innerText()).trim() === viewsLabel[language])
        await expect(box).toContainText(marked.view);
      await expectInert(page, `opened: ${await opener.innerText()}`);
      await page.keyboard.press('Escape');
    }
    await expect(page.locator('main').getByRole('button', { name: viewsLabel[language] })).toBeVisible();
    // The bank has rejected the payout, so there is a notice.
    await page.locator('header button[aria-haspopup=dialog]').nth(1).click();
    await expectInert(page, 'notices', [data.payoutNo]);
    await page.keyboard.press('Escape');
    await page.locator('header button[aria-haspopup=menu]').last().click();
    await expectInert(page, 'account menu', [marked.merchant, marked.user]);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.keyboard.type("An'");
    await expectInert(page, 'search', [marked.payee]);
    await page.keyboard.press('Enter');
    await expectInert(page, 'what was found', [marked.payee]);
    await page.context().close();
  });

  test(`payloads stay inert text on pages without a session, ${language}`, async ({ browser }) => {
    test.setTimeout(120_000);
    const page = await visitor(browser, language, false);
    await page.goto(`${data.cashierUrl}?lang=${language}`);
    await expectInertEverywhere(page, 'cashier', [marked.merchant, marked.subject]);
    await page.goto(productUrl() + new URL(own.slipUrl).pathname);
    await expectInertEverywhere(page, 'slip', [marked.merchant, marked.payee]);
    for (const path of [
      `/login?redirect=${encodeURIComponent(marked.address)}`,
      `/${encodeURIComponent(marked.view)}`,
      `/collection/payments?trade_no=${encodeURIComponent(marked.outTradeNo)}`,
      `/slip/${encodeURIComponent(marked.view)}`,
      `/pay/${encodeURIComponent(marked.view)}`,
    ]) {
      await open(page, path, language);
      await expectInert(page, path);
    }
    await page.context().close();
  });
}

test('the bank’s page shows the subject as inert text', async ({ browser }) => {
  const page = await visitor(browser, 'en', false);
  await page.goto(`${data.cashierUrl}?lang=en`);
  await page.getByRole('button', { name: /^Pay / }).click();
  await page.getByRole('link', { name: 'Continue to your bank' }).click();
  await expect(page.getByRole('heading', { name: 'Confirm this payment?' })).toBeVisible();
  await expectInert(page, 'the bank’s page', [marked.subject]);
  await page.context().close();
});
