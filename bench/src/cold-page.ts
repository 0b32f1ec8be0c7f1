import type { Browser, BrowserContext, CDPSession } from '@playwright/test';

/** How much slower than this machine the CPU is to seem. */
export const cpuSlowdown = 4;
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

/**
 * Figures of a cold load. `readyMs` counts from the navigation's start; traffic and the main thread's work (script, style
 * and layout, in its processor time) count until ready.
 */
export interface ColdFigures {
  readyMs: number;
  wireKb: number;
  requests: number;
  blockingMs: number;
  scriptMs: number;
  styleMs: number;
  layoutMs: number;
}

/** Loads a page in a fresh browser context with a throttled CPU and network. */
export async function openCold(
  browser: Browser,
  { url, cookies = '', isReady }: ColdPage,
): Promise<ColdFigures> {
  const context = await newContext(browser, url, cookies);
  try {
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    const traffic = await throttle(devtools);
    await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
    await page.addInitScript(watch, isReady.toString());
    await page.goto(url, { waitUntil: 'commit' });
    const readyMs = await page.waitForFunction(() => window.readyMs, undefined, { timeout: 60_000 });
    const { bytes, requests } = traffic();
    const work = await mainThreadWork(devtools);
    await page.waitForTimeout(settleMs);
    return {
      readyMs: (await readyMs.jsonValue()) ?? Number.NaN,
      wireKb: bytes / 1000,
      requests,
      blockingMs: await page.evaluate(() => window.blockingMs ?? 0),
      ...work,
    };
  } finally {
    await context.close();
  }
}

/** Returns the processor time of script, style and layout so far; needs `Performance.enable` with `threadTicks`. */
export async function mainThreadWork(
  devtools: CDPSession,
): Promise<Pick<ColdFigures, 'scriptMs' | 'styleMs' | 'layoutMs'>> {
  const { metrics } = await devtools.send('Performance.getMetrics');
  const msOf = (name: string) => (metrics.find((metric) => metric.name === name)?.value ?? Number.NaN) * 1000;
  return {
    scriptMs: msOf('ScriptDuration') + msOf('V8CompileDuration'),
    styleMs: msOf('RecalcStyleDuration'),
    layoutMs: msOf('LayoutDuration'),
  };
}

/** Opens a browser context with a session's cookies, given as one header. */
export async function newContext(browser: Browser, url: string, cookies: string): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-US' });
  const pairs = cookies.split('; ').filter(Boolean);
  await context.addCookies(pairs.map((pair) => ({ ...nameAndValue(pair), url: new URL(url).origin })));
  return context;
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
async function throttle(devtools: CDPSession): Promise<() => { bytes: number; requests: number }> {
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
