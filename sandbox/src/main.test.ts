import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from './config.ts';
import { startSandbox } from './server.ts';
import { call, order, temporaryDirectory, testSecret } from './test-support.ts';

const entry = fileURLToPath(new URL('main.ts', import.meta.url));

async function run(env: Record<string, string>) {
  const child = spawn(process.execPath, [entry], { env: { PATH: process.env.PATH, ...env } });
  onTestFinished(() => void child.kill('SIGKILL'));
  const exit = once(child, 'exit');
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const firstLine = once(createInterface(child.stdout), 'line');
  const line = await Promise.race([firstLine.then(([text]) => String(text)), exit.then(() => '')]);
  return { child, line, exit, errors: () => errors };
}

async function start(more: Record<string, string> = {}) {
  const dataDirectory = await temporaryDirectory();
  const process = await run({ SANDBOX_DATA: dataDirectory, SANDBOX_SECRET: testSecret, ...more });
  const { ready, url } = JSON.parse(process.line);
  expect(ready).toBe(true);
  return { ...process, url: String(url), dataDirectory };
}

test('prints its URL, serves, and stops on SIGTERM without output on standard error', async () => {
  const { child, url, exit, errors } = await start();
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  child.kill('SIGTERM');
  expect(await exit).toEqual([0, null]);
  expect(errors()).toBe('');
});

test('keeps every acknowledged order when it is killed', async () => {
  const { child, url, exit, dataDirectory } = await start();
  const body = order('a', '10000', 'http://127.0.0.1:9/');
  const created = await call({ url }, 'POST', '/v1/collections', body);
  await call({ url }, 'POST', '/v1/collections/a/confirm');
  child.kill('SIGKILL');
  await exit;
  const next = await run({ SANDBOX_DATA: dataDirectory, SANDBOX_SECRET: testSecret });
  const again = { url: String(JSON.parse(next.line).url) };
  expect((await call(again, 'GET', '/v1/collections/a')).json).toMatchObject({
    id: created.json.id,
    status: 'paid',
  });
});

test('exits when its standard input ends, if configured to', async () => {
  const { child, exit } = await start({ SANDBOX_EXIT_WITH_PARENT: '1' });
  child.stdin.end();
  expect(await exit).toEqual([0, null]);
});

test('refuses to start in a bad environment, with one clear line', async () => {
  const { exit, errors } = await run({ SANDBOX_SECRET: 'short', SANDBOX_PORT: '70000' });
  expect((await exit)[0]).toBe(1);
  expect(errors()).toMatch(
    /^The sandbox can't start\. [^\n]*SANDBOX_PORT[^\n]*SANDBOX_DATA[^\n]*SANDBOX_SECRET[^\n]*\n$/,
  );
});

test('applies the defaults of the environment', () => {
  const { options, exitsWithParent } = readConfig({
    SANDBOX_DATA: '/d',
    SANDBOX_SECRET: testSecret,
    SANDBOX_PORT: '',
  });
  expect(options).toMatchObject({ port: 0, host: '127.0.0.1', dataDirectory: '/d', hasControl: false });
  expect(exitsWithParent).toBe(false);
});

test('releases the database when the start fails because its port is in use', async () => {
  const first = await start();
  const dataDirectory = await temporaryDirectory();
  const port = Number(new URL(first.url).port);
  await expect(startSandbox({ dataDirectory, secret: testSecret, port })).rejects.toThrow('EADDRINUSE');
  const sandbox = await startSandbox({ dataDirectory, secret: testSecret });
  await sandbox.close();
});
