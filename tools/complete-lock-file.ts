import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type LockEntry, type LockFile, type MissingEntry, missingEntries } from './checks/lock-file.ts';
import { root } from './sources.ts';

const platform =
  /-(android|darwin|freebsd|linux|openharmony|win32)-(arm64|arm|x64|ia32|ppc64|riscv64|s390x)(?:-(\w+))?$/;

/**
 * Adds the entries that npm left out (see checks/lock-file.ts), as npm would have written them where it can see the
 * packages; only the checksum is not known here. Run by hand after `npm install` when the check asks for it.
 */
export function completed(lock: LockFile): LockFile {
  const added = missingEntries(lock).map((entry): [string, LockEntry] => [
    `node_modules/${entry.name}`,
    entryFor(entry),
  ]);
  const inOrder = [...Object.entries(lock.packages), ...added].sort(([one], [other]) =>
    one.localeCompare(other, 'en'),
  );
  return { ...lock, packages: Object.fromEntries(inOrder) };
}

function entryFor({ name, version, wantedBy }: MissingEntry): LockEntry & Record<string, unknown> {
  const [, os, cpu, abi] = platform.exec(name) ?? [];
  if (!os || !cpu) throw new Error(`${name}: the name does not tell its platform; lock it by hand`);
  return {
    version,
    cpu: [cpu],
    ...(wantedBy.dev ? { dev: true } : {}),
    ...(os === 'linux' && abi ? { libc: [abi.startsWith('musl') ? 'musl' : 'glibc'] } : {}),
    ...(wantedBy.license ? { license: wantedBy.license } : {}),
    optional: true,
    os: [os],
    ...(wantedBy.engines ? { engines: wantedBy.engines } : {}),
  };
}

if (import.meta.main) {
  const path = join(root, 'package-lock.json');
  const lock = completed(JSON.parse(readFileSync(path, 'utf8')));
  writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`);
}
