import { startDemo, withFolder } from '@hengfu/server/testing/test-installation.ts';
import { browserLaunchOptions } from '@hengfu/tools/chromium-options';
import { chromium } from '@playwright/test';
import { type ColdFigures, type ColdPage, openCold } from './cold-page.ts';
import { signIn } from './console-session.ts';
import { atMost, type Figure } from './figures.ts';
import { serveYardstick } from './yardstick.ts';

const loads = 7;
const demo = { email: 'demo@hengfu.test', password: 'Demo-pass-2026' };
interface Budget {
  name: string;
  path: string;
  ratio: number;
  wireKb: number;
  needsSession: boolean;
  isReady: () => boolean;
}

const budgets: readonly Budget[] = [
  {
    name: 'sign-in',
    path: '/login',
    ratio: 1.6,
    wireKb: 160,
    needsSession: false,
    isReady: () => document.querySelector('form input:enabled') !== null,
  },
  {
    name: 'dashboard with chart',
    path: '/dashboard',
    ratio: 2.5,
    wireKb: 320,
    needsSession: true,
    isReady: () => document.querySelector('.uplot canvas') !== null,
  },
  {
    name: 'transactions, first row',
    path: '/collection/payments',
    ratio: 2.5,
    wireKb: 320,
    needsSession: true,
    isReady: () => /C\d{15}/.test(document.querySelector('tbody tr')?.textContent ?? ''),
  },
];

/** Measures cold, throttled loads of console pages, as multiples of a bare React page in the same run. */
export async function measureConsole(): Promise<Figure[]> {
  return withFolder(async (folder) => {
    const yardstick = await serveYardstick();
    const product = await startDemo(folder);
    const browser = await chromium.launch(browserLaunchOptions);
    try {
      const cookies = await signIn(product.url, demo);
      const open = (page: ColdPage) => openCold(browser, page, loads);
      const bare = await open({
        url: yardstick.url,
        isReady: () => document.querySelector('input') !== null,
      });
      const figures: Figure[] = [
        { name: 'bare React page: ready', value: bare.readyMs, unit: 'ms' },
        { name: 'bare React page: over the wire', value: bare.wireKb, unit: 'KB' },
      ];
      for (const budget of budgets) {
        const { path, needsSession, isReady } = budget;
        const session = needsSession ? { cookies } : {};
        figures.push(
          ...figuresOf(budget, await open({ url: product.url + path, isReady, ...session }), bare),
        );
      }
      return figures;
    } finally {
      await browser.close();
      await product.stop();
      await yardstick.close();
    }
  });
}

function figuresOf({ name, ratio, wireKb }: Budget, cold: ColdFigures, bare: ColdFigures): Figure[] {
  return [
    { name: `${name}: ready`, value: cold.readyMs, unit: 'ms' },
    atMost(`${name}: ready, of the bare page`, cold.readyMs / bare.readyMs, '×', ratio),
    atMost(`${name}: over the wire`, cold.wireKb, 'KB', wireKb),
    atMost(`${name}: requests`, cold.requests, '', 12),
    atMost(`${name}: blocking time`, cold.blockingMs, 'ms', 200),
  ];
}
