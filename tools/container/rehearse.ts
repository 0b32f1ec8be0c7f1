import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { runChild } from '../bootstrap/child.mjs';
import { freePort } from '../free-port.ts';
import { listFiles, readSource, root } from '../sources.ts';
import { type Instruction, isIgnored, parseCopy, parseDockerfile, type Stage } from './dockerfile.ts';

/**
 * `npm run container`: executes the Dockerfile's steps without a container engine, each stage in its own
 * folder, and starts the result on an empty database until its health check passes. Base images, users and
 * the file system outside of /app are the machine's own, so problems that only an engine would show are not
 * found.
 */
const startTries = 60;
const workDirectory = '/app';

/** Executes one stage; the folder is its /app. */
async function build(stage: Stage, folder: string, folders: ReadonlyMap<string, string>): Promise<void> {
  const base = folders.get(stage.base);
  if (base) cpSync(base, folder, { recursive: true, verbatimSymlinks: true });
  for (const instruction of stage.instructions) {
    if (instruction.name === 'COPY') copy(instruction, folder, folders);
    if (instruction.name === 'RUN' && /^(npm|node|rm) /.test(instruction.rest))
      await run(instruction.rest, folder);
    else if (instruction.name === 'RUN') console.log(`skipped: ${instruction.rest}`);
  }
}

function copy(instruction: Instruction, folder: string, folders: ReadonlyMap<string, string>): void {
  const { from, sources, target } = parseCopy(instruction);
  for (const source of sources) {
    const inStage = from === undefined ? source : source.replace(`${workDirectory}/`, '');
    const origin = join(from === undefined ? root : (folders.get(from) ?? ''), inStage);
    const isFile = statSync(origin).isFile();
    const destination = join(folder, target, isFile && target.endsWith('/') ? basename(source) : '');
    if (from !== undefined || isFile) {
      mkdirSync(dirname(destination), { recursive: true });
      cpSync(origin, destination, { recursive: true, verbatimSymlinks: true });
    } else copySources(source, destination);
  }
}

function copySources(source: string, destination: string): void {
  const dockerignore = readSource('.dockerignore');
  for (const file of listFiles().filter((each) => each.startsWith(`${source}/`))) {
    if (!isIgnored(file, dockerignore))
      cpSync(join(root, file), join(destination, file.slice(source.length + 1)));
  }
}

async function run(command: string, cwd: string): Promise<void> {
  console.log(`── ${command}`);
  const path = `${dirname(process.execPath)}:${process.env.PATH}`;
  const { exitCode } = await runChild('sh', ['-c', command], { cwd, env: { ...process.env, PATH: path } });
  if (exitCode !== 0) throw new Error(`${command} exited with code ${exitCode}`);
}

/** Starts an empty embedded PostgreSQL in a child process; SIGTERM stops it. */
async function startDatabase(folder: string): Promise<{ url: string; child: ChildProcess }> {
  const script = `import { startEmbedded } from ${JSON.stringify(join(root, 'server/src/db/embedded/embedded.ts'))};
    const cluster = await startEmbedded({ dataDir: ${JSON.stringify(folder)}, durable: false, log: () => {} });
    process.on('SIGTERM', () => cluster.stop().then(() => process.exit(0)));
    console.log(cluster.ownerUrl);`;
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', script], {
    cwd: join(root, 'server'),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const url of createInterface({ input: child.stdout })) return { url, child };
  throw new Error('the database did not start');
}

/** Starts the image's command in its folder, then tries its health check, a page and an operator command. */
async function tryOut(image: Stage, folder: string, databaseUrl: string): Promise<void> {
  const ports = { PORT: String(await freePort()), METRICS_PORT: String(await freePort()) };
  const variables = image.instructions
    .filter(({ name }) => name === 'ENV')
    .flatMap(({ rest }) => rest.split(' '));
  const env = {
    PATH: process.env.PATH,
    APP_KEY: 'ab'.repeat(32),
    DATABASE_URL: databaseUrl,
    ...Object.fromEntries(variables.map((each) => each.split('=') as [string, string])),
    ...ports,
    HOST: '127.0.0.1',
    DATA_DIR: join(folder, 'data'),
  };
  const argumentsOf = (name: string): string[] =>
    JSON.parse(
      /\[.*\]$/.exec(image.instructions.findLast((each) => each.name === name)?.rest ?? '')?.[0] ?? '[]',
    );
  const inImage = ([, ...args]: string[], stdio: 'inherit' | 'ignore') =>
    spawn(process.execPath, args, { cwd: folder, env, stdio });
  const server = inImage(argumentsOf('CMD'), 'ignore');
  try {
    for (let attempt = 1; ; attempt++) {
      const [exitCode] = await once(inImage(argumentsOf('HEALTHCHECK'), 'ignore'), 'exit');
      if (exitCode === 0) break;
      if (server.exitCode !== null || attempt === startTries)
        throw new Error('the server did not become healthy');
      await pause(500);
    }
    const page = await fetch(`http://127.0.0.1:${ports.PORT}/login`);
    if (page.status !== 200 || !(await page.text()).includes('<script'))
      throw new Error(`the sign-in page failed: ${page.status}`);
    const operator = ['node', 'server/src/operator/main.ts', 'channel', 'list'];
    const [exitCode] = await once(inImage(operator, 'inherit'), 'exit');
    if (exitCode !== 0) throw new Error(`the operator command exited with code ${exitCode}`);
  } finally {
    server.kill('SIGTERM');
    if (server.exitCode === null) await once(server, 'exit');
  }
}

const folder = mkdtempSync(join(tmpdir(), 'hengfu-container-'));
chmodSync(folder, 0o755);
const stages = parseDockerfile(readSource('Dockerfile'));
const folders = new Map<string, string>();
try {
  for (const [index, stage] of stages.entries()) {
    const stageFolder = join(folder, stage.name ?? String(index));
    mkdirSync(stageFolder, { recursive: true });
    await build(stage, stageFolder, folders);
    folders.set(stage.name ?? String(index), stageFolder);
  }
  const [image, imageFolder] = [stages.at(-1), [...folders.values()].at(-1)];
  if (!image || !imageFolder) throw new Error('the Dockerfile has no stage');
  const database = await startDatabase(join(folder, 'database'));
  try {
    await tryOut(image, imageFolder, database.url);
  } finally {
    database.child.kill('SIGTERM');
    await once(database.child, 'exit');
  }
  console.log(
    '\nThe Dockerfile works: on an empty database the server becomes healthy, and pages and commands work.',
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
