import { existsSync } from 'node:fs';
import type { LaunchOptions } from '@playwright/test';

/** The system's Chromium, if there is one; otherwise Playwright's own. */
const systemChromium = [process.env.CHROMIUM_PATH, '/usr/bin/chromium', '/usr/bin/google-chrome'].find(
  (path) => path !== undefined && path !== '' && existsSync(path),
);

const quiet = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
  '--disable-gpu',
  '--no-first-run',
];

/** How browser tests and screenshots start Chromium. */
export const launchOptions: LaunchOptions = {
  ...(systemChromium && { executablePath: systemChromium }),
  // Chromium's sandbox can't run as root.
  args: process.getuid?.() === 0 ? [...quiet, '--no-sandbox'] : quiet,
};
