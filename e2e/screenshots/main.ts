/**
 * `npm run screenshots [-- --only=payout,search --languages=en,vi --widths=1440 --themes=dark]`: captures every
 * scene at three widths, light and dark, in three languages, into screenshots/, with a contact sheet for each
 * combination.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { launchOptions } from '@hengfu/tools/chromium-options';
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test';
import { enter } from '../office.ts';
import { backOfficeUrl, demo, open, productUrl } from '../people.ts';
import { startProduct } from '../product.ts';
import { captureSheet, type Shot, sheetHtml } from './contact-sheet.ts';
import type { Scene } from './scene.ts';
import { scenes } from './scenes.ts';

type Language = Parameters<typeof open>[2];
type Theme = 'light' | 'dark';

interface Look {
  width: number;
  theme: Theme;
  language: NonNullable<Language>;
}

const folder = join(import.meta.dirname, '../../screenshots');
/** Time for charts to draw, fonts to load, and rows to fade in. */
const settleMs = 700;

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    languages: { type: 'string', default: 'en,zh-cn,vi' },
    widths: { type: 'string', default: '1440,1024,390' },
    themes: { type: 'string', default: 'light,dark' },
  },
});

const wanted = scenes.filter(({ name }) => values.only.split(',').some((part) => name.includes(part)));
const looks: Look[] = values.languages.split(',').flatMap((language) =>
  values.themes.split(',').flatMap((theme) =>
    values.widths.split(',').map((width) => ({
      width: Number(width),
      theme: theme as Theme,
      language: language as Look['language'],
    })),
  ),
);

mkdirSync(folder, { recursive: true });
const stop = await startProduct();
const browser = await chromium.launch(launchOptions);
try {
  const sessions = { console: await signedIn(browser), office: await signedInToOffice(browser) };
  for (const look of looks) await captureLook(browser, sessions, look);
} finally {
  await browser.close();
  await stop();
}
process.stdout.write(`${wanted.length * looks.length} screenshots in screenshots/\n`);

type State = Awaited<ReturnType<BrowserContext['storageState']>>;

async function signedInToOffice(browser: Browser): Promise<State> {
  const context = await browser.newContext();
  await enter(await context.newPage(), '/');
  const state = await context.storageState();
  await context.close();
  return state;
}

async function signedIn(browser: Browser): Promise<State> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await open(page, '/login');
  await page.getByLabel('Email').fill(demo.email);
  await page.getByLabel('Password', { exact: true }).fill(demo.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL((url) => !url.pathname.startsWith('/login'));
  const state = await context.storageState();
  await context.close();
  return state;
}

/** The sessions of both applications. Each has cookies of its own names, and all of them are on one host. */
interface Sessions {
  console: State;
  office: State;
}

async function captureLook(browser: Browser, sessions: Sessions, look: Look): Promise<void> {
  const title = `${look.language}-${look.theme}-${look.width}`;
  const shots: Shot[] = [];
  for (const scene of wanted) {
    const context = await contextFor(
      browser,
      look,
      scene.isOpen ? undefined : sessions[scene.isOffice ? 'office' : 'console'],
    );
    await context.addInitScript((settings) => {
      for (const [name, value] of Object.entries(settings)) localStorage.setItem(name, value);
    }, scene.settings ?? {});
    const file = `${title}-${scene.name}.png`;
    await capture(await context.newPage(), scene, look, join(folder, file));
    shots.push({ file, name: scene.name });
    await context.close();
  }
  const sheet = join(folder, `sheet-${title}.html`);
  writeFileSync(sheet, sheetHtml(title, shots, look.width));
  await captureSheet(browser, pathToFileURL(sheet).href, sheet.replace(/html$/, 'png'));
  process.stdout.write(`${title}\n`);
}

async function contextFor(
  browser: Browser,
  { width, theme }: Look,
  storageState: State | undefined,
): Promise<BrowserContext> {
  const height = width < 600 ? 844 : 900;
  const context = await browser.newContext({
    viewport: { width, height },
    ...(storageState && { storageState: { ...storageState, origins: [] } }),
  });
  await context.addInitScript(
    ([chosen, isSignedIn]) => {
      localStorage.setItem('theme', chosen ?? 'light');
      localStorage.setItem('sidebarStatus', 'opened');
      if (isSignedIn) localStorage.setItem('signedIn', '1');
    },
    [theme, storageState ? '1' : ''],
  );
  return context;
}

async function capture(page: Page, scene: Scene, look: Look, path: string): Promise<void> {
  page.on('pageerror', (error) => process.stderr.write(`${path}: ${error.message}\n`));
  const target = typeof scene.path === 'string' ? scene.path : await scene.path();
  await open(page, target, look.language, scene.isOffice ? backOfficeUrl() : productUrl());
  await page.locator('h1').first().waitFor();
  await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
  await page.waitForTimeout(settleMs);
  if (scene.act) {
    await scene.act(page);
    await page.waitForTimeout(settleMs);
  }
  const isWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  if (isWide) process.stderr.write(`${path}: wider than the window\n`);
  await page.screenshot({ path, fullPage: !scene.act });
}
