import { existsSync } from 'node:fs';
import type { LaunchOptions } from '@playwright/test';

/** The system's Chromium, if there is one; otherwise Playwright's own. */
const systemChromium = [process.env.CHROMIUM_PATH, '/usr/bin/chromium', '/usr/bin/google-chrome'].find(
  (path) => path !== undefined && path !== '' && existsSync(path),
);

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

/** How browser tests, screenshots and benchmarks start Chromium. */
export const launchOptions: LaunchOptions = {
  ...(systemChromium && { executablePath: systemChromium }),
  // Chromium's sandbox can't run as root.
  args: process.getuid?.() === 0 ? [...quiet, '--no-sandbox'] : quiet,
};
