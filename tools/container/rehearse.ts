import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { runChild } from '../bootstrap/child.mjs';
import { listFiles, readSource, root } from '../sources.ts';
import { copyOf, type Instruction, isIgnored, parseDockerfile, type Stage } from './dockerfile.ts';

/**
 * `npm run container`: carries out the Dockerfile's steps without an engine, each stage in a folder of its own, and
 * starts what comes out on an empty database until its health check is content. Base images, users and the file system
 * around /app are the machine's own: what only an engine can show, it does not.
 */
const startTries = 60;
const work = '/app';

/** Carries out one stage in its folder, which is its /app. */
async function build(stage: Stage, folder: string, folders: ReadonlyMap<string, string>): Promise<void> {
  const base = folders.get(stage.base);
  if (base) cpSync(base, folder, { recursive: true, verbatimSymlinks: true });
  for (const instruction of stage.instructions) {
    if (instruction.name === 'COPY') copy(instruction, folder, folders);
    if (instruction.name === 'RUN' && /^(npm|node|rm) /.test(instruction.rest))
      await run(instruction.rest, folder);
    else if (instruction.name === 'RUN') console.log(`not run here: ${instruction.rest}`);
  }
}

function copy(instruction: Instruction, folder: string, folders: ReadonlyMap<string, string>): void {
  const { from, sources, target } = copyOf(instruction);
  for (const source of sources) {
    const inStage = from === undefined ? source : source.replace(`${work}/`, '');
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
  if (exitCode !== 0) throw new Error(`${command} ended with code ${exitCode}`);
}

/** An empty PostgreSQL of the product's own kind, in a process that ends with us. */
async function startDatabase(folder: string): Promise<{ url: string; child: ChildProcess }> {
  const script = `import { startEmbedded } from ${JSON.stringify(join(root, 'server/src/db/embedded/embedded.ts'))};
    const place = await startEmbedded({ dataDir: ${JSON.stringify(folder)}, durable: false, log: () => {} });
    process.on('SIGTERM', () => place.stop().then(() => process.exit(0)));
    console.log(place.ownerUrl);`;
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', script], {
    cwd: join(root, 'server'),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const url of createInterface({ input: child.stdout })) return { url, child };
  throw new Error('no database');
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}

/** Starts the image's command in its folder; resolves once its health check and a page say that it works. */
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
  const ofImage = (name: string): string[] =>
    JSON.parse(
      /\[.*\]$/.exec(image.instructions.findLast((each) => each.name === name)?.rest ?? '')?.[0] ?? '[]',
    );
  const inImage = ([, ...args]: string[], stdio: 'inherit' | 'ignore') =>
    spawn(process.execPath, args, { cwd: folder, env, stdio });
  const server = inImage(ofImage('CMD'), 'ignore');
  try {
    for (let attempt = 1; ; attempt++) {
      const [exitCode] = await once(inImage(ofImage('HEALTHCHECK'), 'ignore'), 'exit');
      if (exitCode === 0) break;
      if (server.exitCode !== null || attempt === startTries)
        throw new Error('the image does not become healthy');
      await pause(500);
    }
    const page = await fetch(`http://127.0.0.1:${ports.PORT}/login`);
    if (page.status !== 200 || !(await page.text()).includes('<script'))
      throw new Error(`no page: ${page.status}`);
    const operator = ['node', 'server/src/operator/main.ts', 'channel', 'list'];
    const [exitCode] = await once(inImage(operator, 'inherit'), 'exit');
    if (exitCode !== 0) throw new Error('the operator’s commands do not work');
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
    const own = join(folder, stage.name ?? String(index));
    mkdirSync(own, { recursive: true });
    await build(stage, own, folders);
    folders.set(stage.name ?? String(index), own);
  }
  const [image, own] = [stages.at(-1), [...folders.values()].at(-1)];
  if (!image || !own) throw new Error('no image');
  const database = await startDatabase(join(folder, 'database'));
  try {
    await tryOut(image, own, database.url);
  } finally {
    database.child.kill('SIGTERM');
    await once(database.child, 'exit');
  }
  console.log(
    '\nThe image’s steps work: it becomes healthy on an empty database, serves its pages and takes commands.',
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
