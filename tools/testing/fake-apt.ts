import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../sources.ts';

const run = promisify(execFile);
const tools = ['bash', 'env', 'grep', 'mktemp', 'tee', 'rm'];

/** How the fake commands behave. */
export interface FakeSystem {
  /** Packages that are already installed. */
  readonly installed?: readonly string[];
  readonly isRoot?: boolean;
  readonly hasApt?: boolean;
  /** If set, `apt-get update` prints this and fails. */
  readonly updateError?: string;
  /** If set, `apt-get install` of this package prints the message and fails. */
  readonly installError?: readonly [name: string, message: string];
}

/** Runs .ci/install-packages with fakes of apt-get, dpkg-query and id. `calls` are those of apt-get. */
export async function installPackages(system: FakeSystem): Promise<{ outcome: string; calls: string[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'hengfu-apt-'));
  const log = join(folder, 'calls');
  writeFileSync(log, '');
  const script = (name: string, text: string) => {
    writeFileSync(join(folder, name), `#!/usr/bin/env bash\n${text}\n`);
    chmodSync(join(folder, name), 0o755);
  };
  const [failing = 'none', failure = ''] = system.installError ?? [];
  try {
    for (const tool of tools) symlinkSync((await run('which', [tool])).stdout.trim(), join(folder, tool));
    script('id', `echo ${system.isRoot === false ? 1000 : 0}`);
    script(
      'dpkg-query',
      `case " ${(system.installed ?? []).join(' ')} " in *" \${@: -1} "*) echo install ok installed;; *) exit 1;; esac`,
    );
    if (system.hasApt !== false)
      script(
        'apt-get',
        `echo "$*" >> ${log}
        case "$*" in
          *update) echo '${system.updateError ?? ''}'; exit ${system.updateError ? 100 : 0};;
          *"${failing}"*) echo '${failure}'; exit 100;;
        esac`,
      );
    const { stdout } = await run(join(root, '.ci/install-packages'), { env: { PATH: folder } });
    const calls = readFileSync(log, 'utf8').split('\n').filter(Boolean);
    return { outcome: stdout.trim().split('\n').at(-1) ?? '', calls };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
