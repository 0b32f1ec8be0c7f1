import { ShopProgram } from '@hengfu/server/testing/shop-program.ts';
import { type Served, startDemo, withFolder } from '@hengfu/server/testing/test-installation.ts';
import { browserLaunchOptions } from '@hengfu/tools/chromium-options';
import { type Browser, chromium } from '@playwright/test';
import { scrollBatch } from './batch-scroll.ts';
import { type ColdFigures, type ColdPage, openCold } from './cold-page.ts';
import { type Budget, budgetFigures, comparison, type Loads } from './console-figures.ts';
import { signIn } from './console-session.ts';
import type { Figure } from './figures.ts';
import { clickMenuEntry } from './warm-click.ts';
import { serveYardstick } from './yardstick.ts';

const rounds = 9;
const demoKey = { id: 'ak_demo_hengfu', secret: 'sk_demo_hengfu_2026' };
const demo = { email: 'demo@hengfu.test', password: 'Demo-pass-2026' };

interface MeasuredPage extends Budget {
  /** Its path; the checkout page is that of an order, which each version has its own of. */
  path: string | 'checkout';
  needsSession: boolean;
  isReady: () => boolean;
}

const pages: readonly MeasuredPage[] = [
  {
    name: 'sign-in',
    path: '/login',
    ratio: 1.5,
    mainThreadRatio: 2.5,
    wireKb: 160,
    needsSession: false,
    isReady: () => document.querySelector('form input:enabled') !== null,
  },
  {
    name: 'dashboard with chart',
    path: '/dashboard',
    ratio: 2.5,
    mainThreadRatio: 5,
    wireKb: 320,
    needsSession: true,
    isReady: () => document.querySelector('.uplot canvas') !== null,
  },
  {
    name: 'transactions, first row',
    path: '/collection/payments',
    ratio: 2.5,
    mainThreadRatio: 5,
    wireKb: 320,
    needsSession: true,
    isReady: () => /C\d{15}/.test(document.querySelector('tbody tr')?.textContent ?? ''),
  },
  {
    name: 'checkout page',
    path: 'checkout',
    ratio: 1.6,
    mainThreadRatio: 2.5,
    wireKb: 130,
    needsSession: false,
    isReady: () => document.querySelector('button.button:enabled') !== null,
  },
];

/**
 * Measures cold, throttled loads of console pages, as multiples of a bare React page, and warm clicks on a menu entry. Each
 * round loads every page once, so that all of them meet the same machine.
 * @param against another checkout of the product, which is measured in the same rounds
 */
export async function measureConsole(against: string | undefined): Promise<Figure[]> {
  return withFolder(async (folder) => {
    const yardstick = await serveYardstick();
    const products = [await startDemo(`${folder}/this`)];
    const browser = await chromium.launch(browserLaunchOptions);
    try {
      if (against) products.push(await startDemo(`${folder}/other`, against));
      const versions = await Promise.all(products.map((product) => versionOf(product)));
      const bare: ColdFigures[] = [];
      for (let round = 0; round < rounds; round++) {
        bare.push(await openCold(browser, barePage(yardstick.url)));
        for (const version of versions) await measureRound(browser, version);
      }
      const [own, other] = versions.map(({ loads }) => loads);
      if (!own) throw new Error('nothing was measured');
      return [...budgetFigures(pages, bare, own), ...(other ? comparison(pages, own, other) : [])];
    } finally {
      await browser.close();
      for (const product of products) await product.stop();
      await yardstick.close();
    }
  });
}

interface Version {
  url: string;
  cookies: string;
  /** Path of the checkout page of an order. */
  checkout: string;
  loads: Loads;
}

async function versionOf({ url }: Served): Promise<Version> {
  const cold = new Map(pages.map(({ name }) => [name, []]));
  const checkout = await checkoutPath(url);
  return { url, cookies: await signIn(url, demo), checkout, loads: { cold, clicks: [], scrollings: [] } };
}

/** Creates an order, and returns the path of its checkout page. */
async function checkoutPath(url: string): Promise<string> {
  const { json } = await new ShopProgram(url, demoKey).create(`BENCH-${Date.now()}`, { subject: 'Tea' });
  return new URL(json.cashierUrl).pathname;
}

async function measureRound(browser: Browser, { url, cookies, checkout, loads }: Version): Promise<void> {
  for (const { name, path, needsSession, isReady } of pages) {
    const page = {
      url: url + (path === 'checkout' ? checkout : path),
      isReady,
      ...(needsSession && { cookies }),
    };
    loads.cold.get(name)?.push(await openCold(browser, page));
  }
  loads.clicks.push(await clickMenuEntry(browser, url, cookies));
  loads.scrollings.push(await scrollBatch(browser, url, cookies));
}

function barePage(url: string): ColdPage {
  return { url, isReady: () => document.querySelector('input') !== null };
}
