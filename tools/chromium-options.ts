import { existsSync } from 'node:fs';
import type { LaunchOptions } from '@playwright/test';

/** The whole browser, as people have it. */
const browsers = ['/usr/bin/chromium', '/usr/bin/google-chrome'];
/** Its engine alone comes first: a story takes 40 % less processor time. */
const engines = ['/usr/bin/chromium-headless-shell', ...browsers];

/**
 * Playwright's own list, which a second `--disable-features` replaces, and the address bar's popup: a page of the browser's
 * own that costs 0.6 s of CPU time for every new context.
 */
const disabledFeatures = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
];

const quiet = [
  `--disable-features=${disabledFeatures.join(',')}`,
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
  '--disable-gpu',
  '--no-first-run',
];

/** Compiles functions when they are first called. The bundle's compile hints would compile all of them on load, and a story calls few. */
const lazy = '--js-flags=--no-compile-hints-magic';

/** Starts the first of these that exists, or else Playwright's own; `CHROMIUM_PATH` goes before all. */
function optionsFor(paths: readonly string[], flags: readonly string[] = []): LaunchOptions {
  const found = [process.env.CHROMIUM_PATH, ...paths].find((path) => path && existsSync(path));
  return {
    ...(found && { executablePath: found }),
    // Chromium's sandbox can't run as root.
    args: [...quiet, ...flags, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
  };
}

/** How browser tests and screenshots start Chromium. */
export const launchOptions = optionsFor(engines, [lazy]);

/** How benchmarks start it. */
export const browserLaunchOptions = optionsFor(browsers);
