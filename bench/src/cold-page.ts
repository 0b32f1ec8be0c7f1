import type { Browser, Page } from '@playwright/test';
import { percentile } from './figures.ts';

const slowdown = 4;
const latencyMs = 60;
const downBytesPerSecond = 9_000_000 / 8;
const settleMs = 1500;

/** A page to be opened cold. */
export interface ColdPage {
  url: string;
  /** As one header, of a session. */
  cookies?: string;
  /** Runs in the page: whether it is usable. */
  isReady: () => boolean;
}

/** Medians over several cold loads. Times in milliseconds from the navigation's start; bytes and requests until ready. */
export interface ColdFigures {
  readyMs: number;
  wireKb: number;
  requests: number;
  blockingMs: number;
}

/** Opens a page in a fresh browser profile on a slow machine behind a slow line, several times. */
export async function openCold(browser: Browser, page: ColdPage, times: number): Promise<ColdFigures> {
  const all: ColdFigures[] = [];
  for (let time = 0; time < times; time++) all.push(await openOnce(browser, page));
  const median = (name: keyof ColdFigures) =>
    percentile(
      all.map((figures) => figures[name]),
      0.5,
    );
  return {
    readyMs: median('readyMs'),
    wireKb: median('wireKb'),
    requests: median('requests'),
    blockingMs: median('blockingMs'),
  };
}

async function openOnce(browser: Browser, { url, cookies = '', isReady }: ColdPage): Promise<ColdFigures> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-US' });
  try {
    const pairs = cookies.split('; ').filter(Boolean);
    await context.addCookies(pairs.map((pair) => ({ ...nameAndValue(pair), url: new URL(url).origin })));
    const page = await context.newPage();
    const wire = await slowDown(page);
    await page.addInitScript(watch, isReady.toString());
    await page.goto(url);
    const readyMs = await page.waitForFunction(() => window.readyMs, undefined, { timeout: 60_000 });
    const { bytes, requests } = wire();
    await page.waitForTimeout(settleMs);
    return {
      readyMs: (await readyMs.jsonValue()) ?? Number.NaN,
      wireKb: bytes / 1000,
      requests,
      blockingMs: await page.evaluate(() => window.blockingMs ?? 0),
    };
  } finally {
    await context.close();
  }
}

declare global {
  interface Window {
    readyMs?: number;
    blockingMs?: number;
  }
}

/** Runs in the page before anything else: notes when it is ready, and adds up what long tasks take beyond 50 ms. */
function watch(isReady: string): void {
  // biome-ignore lint/security/noGlobalEval: the condition comes from this benchmark
  const ready: () => boolean = eval(isReady);
  const look = () => {
    if (ready()) window.readyMs = performance.now();
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
  window.blockingMs = 0;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries())
      window.blockingMs = (window.blockingMs ?? 0) + Math.max(0, duration - 50);
  }).observe({ type: 'longtask', buffered: true });
}

/** Slows the page and its line down; the result tells what has come over the line so far. */
async function slowDown(page: Page): Promise<() => { bytes: number; requests: number }> {
  const devtools = await page.context().newCDPSession(page);
  let bytes = 0;
  let requests = 0;
  devtools.on('Network.requestWillBeSent', ({ request }) => {
    if (request.url.startsWith('http')) requests++;
  });
  devtools.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: latencyMs,
    downloadThroughput: downBytesPerSecond,
    uploadThroughput: downBytesPerSecond,
  });
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  return () => ({ bytes, requests });
}

function nameAndValue(pair: string): { name: string; value: string } {
  const at = pair.indexOf('=');
  return { name: pair.slice(0, at), value: pair.slice(at + 1) };
}
