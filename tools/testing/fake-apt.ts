import { execFile } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../sources.ts';

const run = promisify(execFile);
const tools = ['bash', 'env', 'grep', 'mktemp', 'tee', 'rm', 'mkdir', 'chmod', 'cat'];
const policy = 'usr/sbin/policy-rc.d';
const clusters = 'etc/postgresql-common/createcluster.d/hengfu.conf';

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

/** The effects of .ci/install-packages. */
export interface Installed {
  outcome: string;
  /** The calls of apt-get. */
  calls: string[];
  /** The files that apt-get finds while it installs: the policy for services, then the settings for clusters. */
  seen: string;
  /** Whether the policy is still there afterwards. */
  hasPolicy: boolean;
}

/** Runs .ci/install-packages with fakes of apt-get, dpkg-query and id, and another root for system files. */
export async function installPackages(system: FakeSystem): Promise<Installed> {
  const folder = mkdtempSync(join(tmpdir(), 'hengfu-apt-'));
  const log = join(folder, 'calls');
  const seen = join(folder, 'seen');
  for (const file of [log, seen]) writeFileSync(file, '');
  mkdirSync(join(folder, dirname(policy)), { recursive: true });
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
          *install*) (cd ${folder} && cat ${policy} ${clusters} > ${seen});;&
          *"${failing}"*) echo '${failure}'; exit 100;;
        esac`,
      );
    const { stdout } = await run(join(root, '.ci/install-packages'), {
      env: { PATH: folder, SYSTEM_ROOT: folder },
    });
    const calls = readFileSync(log, 'utf8').split('\n').filter(Boolean);
    const outcome = stdout.trim().split('\n').at(-1) ?? '';
    return { outcome, calls, seen: readFileSync(seen, 'utf8'), hasPolicy: existsSync(join(folder, policy)) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
