import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { say } from './bootstrap/say.mjs';
import { fetchPackagedChromium, packagedChromium } from './packaged-chromium.ts';
import { runTool } from './run-tool.ts';
import { root } from './sources.ts';

/** Finds a Chromium that runs on this machine, or installs one. Undefined if that fails, too. */
export async function ensureChromium(): Promise<string | undefined> {
  const found = await findChromium();
  if (found) return found;
  for (const [description, install] of installers) {
    say(`no Chromium on this machine, trying ${description} …`);
    await install().catch((error: Error) => say(error.message));
    const installed = await findChromium();
    if (installed) return installed;
  }
  say('the browser tests need Chromium, and installing it failed: install it, or set CHROMIUM_PATH.');
  return undefined;
}

/** Ways to install Chromium, with their descriptions, in order of preference. */
const installers: readonly [string, () => Promise<void>][] = [
  ['to install it', installChromium],
  ['the package @sparticuz/chromium', fetchPackagedChromium],
];

/**
 * Lists the paths where a Chromium may be, in order of preference. The headless shell has the same engine without the browser
 * around it: a story takes 40 % less processor time in it.
 */
export function chromiumCandidates(env: NodeJS.ProcessEnv = process.env): string[] {
  const candidates = [
    env.CHROMIUM_PATH,
    '/usr/bin/chromium-headless-shell',
    '/usr/bin/chromium',
    '/usr/bin/google-chrome',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    playwrightChromium(),
    packagedChromium,
  ];
  return candidates.filter((path): path is string => Boolean(path));
}

/** Finds the first candidate that runs. */
export async function findChromium(candidates = chromiumCandidates()): Promise<string | undefined> {
  for (const path of candidates) if (await isRunnable(path)) return path;
  return undefined;
}

/** Path where Playwright keeps the browser that fits its version. */
function playwrightChromium(): string {
  return createRequire(join(root, 'e2e/package.json'))('@playwright/test').chromium.executablePath();
}

/** Runs it, because on some systems `chromium` is a stub that only explains how to install the browser. */
async function isRunnable(path: string): Promise<boolean> {
  return runTool(path, ['--version']).then(
    ({ exitCode }) => exitCode === 0,
    () => false,
  );
}

async function installChromium(): Promise<void> {
  if (process.getuid?.() === 0 && (await isDebian())) {
    await runTool('apt-get', ['update'], { show: true });
    for (const name of ['chromium-headless-shell', 'chromium']) {
      const install = ['install', '-y', '--no-install-recommends', name];
      const options = { show: true, env: { DEBIAN_FRONTEND: 'noninteractive' } };
      if ((await runTool('apt-get', install, options)).exitCode === 0) return;
    }
  } else {
    await runTool('playwright', ['install', 'chromium'], { show: true });
  }
}

async function isDebian(): Promise<boolean> {
  const release = await readFile('/etc/os-release', 'utf8').catch(() => '');
  return /^ID=debian$/m.test(release);
}
