import type { Browser, Page } from '@playwright/test';
import { percentile } from './figures.ts';

const cpuSlowdown = 4;
const latencyMs = 60;
const bandwidthBytesPerSecond = 9_000_000 / 8;
const settleMs = 1500;

/** A page to load with an empty cache. */
export interface ColdPage {
  url: string;
  /** A session's cookies, as one header. */
  cookies?: string;
  /** Runs in the page; returns whether it is usable. */
  isReady: () => boolean;
}

/** Medians of several cold loads. `readyMs` counts from the navigation's start; traffic counts until ready. */
export interface ColdFigures {
  readyMs: number;
  wireKb: number;
  requests: number;
  blockingMs: number;
}

/** Loads a page several times, each in a fresh browser context with a throttled CPU and network. */
export async function openCold(browser: Browser, page: ColdPage, loads: number): Promise<ColdFigures> {
  const all: ColdFigures[] = [];
  for (let load = 0; load < loads; load++) all.push(await openOnce(browser, page));
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
    const traffic = await throttle(page);
    await page.addInitScript(watch, isReady.toString());
    await page.goto(url);
    const readyMs = await page.waitForFunction(() => window.readyMs, undefined, { timeout: 60_000 });
    const { bytes, requests } = traffic();
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

/** Runs before the page's scripts: records when it is ready, and sums up long tasks' time beyond 50 ms. */
function watch(isReady: string): void {
  // biome-ignore lint/security/noGlobalEval: the condition comes from this benchmark
  const ready: () => boolean = eval(isReady);
  const poll = () => {
    if (ready()) window.readyMs = performance.now();
    else requestAnimationFrame(poll);
  };
  requestAnimationFrame(poll);
  window.blockingMs = 0;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries())
      window.blockingMs = (window.blockingMs ?? 0) + Math.max(0, duration - 50);
  }).observe({ type: 'longtask', buffered: true });
}

/** Throttles the page's CPU and network; the returned function reports the traffic so far. */
async function throttle(page: Page): Promise<() => { bytes: number; requests: number }> {
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
    downloadThroughput: bandwidthBytesPerSecond,
    uploadThroughput: bandwidthBytesPerSecond,
  });
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown });
  return () => ({ bytes, requests });
}

function nameAndValue(pair: string): { name: string; value: string } {
  const at = pair.indexOf('=');
  return { name: pair.slice(0, at), value: pair.slice(at + 1) };
}
