import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type LockEntry, type LockFile, type MissingEntry, missingEntries } from './checks/lock-file.ts';
import { root } from './sources.ts';

const platform =
  /-(android|darwin|freebsd|linux|openharmony|win32)-(arm64|arm|x64|ia32|ppc64|riscv64|s390x)(?:-(\w+))?$/;

/**
 * Adds the entries that npm omitted (see checks/lock-file.ts), as npm writes them for packages that it can
 * see, except for the checksum, which is unknown. Run it by hand after `npm install` if the check says so.
 */
export function completeLockFile(lock: LockFile): LockFile {
  const added = missingEntries(lock).map((entry): [string, LockEntry] => [
    `node_modules/${entry.name}`,
    createEntry(entry),
  ]);
  const inOrder = [...Object.entries(lock.packages), ...added].sort(([one], [other]) =>
    one.localeCompare(other, 'en'),
  );
  return { ...lock, packages: Object.fromEntries(inOrder) };
}

function createEntry({ name, version, requiredBy }: MissingEntry): LockEntry & Record<string, unknown> {
  const [, os, cpu, abi] = platform.exec(name) ?? [];
  if (!os || !cpu) throw new Error(`${name}: the name does not include a platform; add the entry by hand`);
  return {
    version,
    cpu: [cpu],
    ...(requiredBy.dev ? { dev: true } : {}),
    ...(os === 'linux' && abi ? { libc: [abi.startsWith('musl') ? 'musl' : 'glibc'] } : {}),
    ...(requiredBy.license ? { license: requiredBy.license } : {}),
    optional: true,
    os: [os],
    ...(requiredBy.engines ? { engines: requiredBy.engines } : {}),
  };
}

if (import.meta.main) {
  const path = join(root, 'package-lock.json');
  const lock = completeLockFile(JSON.parse(readFileSync(path, 'utf8')));
  writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`);
}
