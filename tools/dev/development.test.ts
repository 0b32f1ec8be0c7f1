import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { freePort } from '../free-port.ts';
import { root } from '../sources.ts';

let folder: string;
let port: number;
let development: ChildProcess | undefined;
let output = '';

function write(path: string, content: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), content);
}

/** Source of a minimal server: pages with data of the request, and a call that returns its version. */
const serverOf = (version: number) => `
import { createServer } from 'node:http';
import { path } from './path.ts';
createServer((_request, response) => {
  response.end('<script id="boot" type="application/json">{"title":"office"}</script>');
}).listen(Number(process.env.PORT) + 2, '127.0.0.1');
createServer(({ url, headers: { cookie, host } }, response) => {
  if (url === path) return response.end('version ${version} for ' + host);
  if (url === '/moved') return response.writeHead(302, { location: '/login' }).end();
  response.writeHead(url === '/missing' ? 404 : 200, { 'content-type': 'text/html', 'set-cookie': ['a=1', 'b=2'] });
  const boot = JSON.stringify({ url, cookie, title: process.env.APP_URL });
  response.end(url === '/missing' ? 'nothing here' : \`<script id="boot" type="application/json">\${boot}</script>\`);
}).listen(Number(process.env.PORT), '127.0.0.1');
process.on('SIGTERM', () => process.exit());
process.on('SIGINT', () => process.exit());
`;
const page = (script: string) =>
  `<!doctype html><html><head><!--boot--></head><body><script type="module" src="/src/${script}"></script></body></html>`;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hengfu dev '));
  output = '';
  write('package.json', '{"type":"module"}');
  const plugin = join(root, 'console/vite/server-boot.ts');
  write(
    'console/vite.config.ts',
    `import { serverBoot, serverProxy } from ${JSON.stringify(plugin)};
    export default { root: import.meta.dirname, plugins: [serverBoot()], server: { proxy: serverProxy } };`,
  );
  write(
    'backoffice/vite.config.ts',
    `import { proxyTo, serverBoot } from ${JSON.stringify(plugin)};
    const target = process.env.DEV_STAFF_URL;
    export default { root: import.meta.dirname, plugins: [serverBoot(target)], server: { proxy: proxyTo(target) } };`,
  );
  write('console/dist/index.html', 'built before');
  write('backoffice/dist/index.html', 'built before');
  write('backoffice/index.html', page('office.ts'));
  write('console/index.html', page('main.ts'));
  write('console/cashier.html', page('cashier.ts'));
  write('console/src/main.ts', `document.title = 'first';`);
  write('server/src/path.ts', `export const path: string = '/api/version';`);
  write('server/src/main.ts', serverOf(1));
  port = await freePort();
});
afterEach(async () => {
  development?.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

function start(): ChildProcess {
  const env = { ...process.env, PORT: String(port) };
  development = spawn(process.execPath, [join(root, 'tools/dev.ts'), folder], { env });
  development.stdout?.on('data', (chunk) => (output += chunk));
  development.stderr?.on('data', (chunk) => (output += chunk));
  return development;
}

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`http://127.0.0.1:${port}${path}`, { headers, redirect: 'manual' });
const navigate = (path: string) => get(path, { accept: 'text/html', cookie: 'sid=x' });

/** Repeats a request until the reply contains a text. Throws with the last reply after 30 seconds. */
async function untilReply(path: string, text: string): Promise<void> {
  let reply = '';
  for (const until = Date.now() + 30_000; Date.now() < until; await pause(100)) {
    reply = await get(path).then(
      (response) => response.text(),
      (error: Error) => error.message,
    );
    if (reply.includes(text)) return;
  }
  throw new Error(`${path} never returned “${text}”, last “${reply}”; ${output}`);
}

test('embeds boot data, reloads both sides after changes, and stops all on one signal', async () => {
  const running = start();
  await untilReply('/api/version', `version 1 for 127.0.0.1:${port}`);

  const first = await navigate('/fund/fundWater?a=1');
  const html = await first.text();
  expect(html).toContain('"url":"/fund/fundWater?a=1","cookie":"sid=x"');
  expect(html).toContain(`"title":"http://127.0.0.1:${port}"`);
  expect(html).toContain('/@vite/client');
  expect(html).toContain('/src/main.ts');
  expect(first.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  expect(await (await navigate('/pay/token')).text()).toContain('/src/cashier.ts');
  const office = await fetch(`http://127.0.0.1:${port + 2}/topups`, { headers: { accept: 'text/html' } });
  const officePage = await office.text();
  expect(officePage).toContain('"title":"office"');
  expect(officePage).toContain('/src/office.ts');
  // The console replies 404 and redirects where the server does.
  const missing = await navigate('/missing');
  expect([missing.status, await missing.text()]).toEqual([404, 'nothing here']);
  const moved = await navigate('/moved');
  expect([moved.status, moved.headers.get('location')]).toEqual([302, '/login']);

  await untilReply('/src/main.ts', 'first');
  write('console/src/main.ts', `document.title = 'second';`);
  await untilReply('/src/main.ts', 'second');
  write('server/src/main.ts', serverOf(2));
  await untilReply('/api/version', 'version 2');
  // Also for an imported file; and a server that failed to start waits for the next change.
  write('server/src/path.ts', 'export const path = ;');
  await pause(500);
  write('server/src/path.ts', `export const path: string = '/api/other';`);
  await untilReply('/api/other', 'version 2');

  const ended = once(running, 'exit');
  running.kill('SIGINT');
  await ended;
  for (const used of [port, port + 2, port + 10])
    await expect(fetch(`http://127.0.0.1:${used}/`)).rejects.toThrow('fetch failed');
}, 120_000);

test('reports a port that is already in use, and leaves no server running', async () => {
  const taken = createServer().listen(port, '127.0.0.1');
  await once(taken, 'listening');
  const running = start();
  const [code] = await once(running, 'exit');
  expect(code).toBe(1);
  expect(output).toContain(`port ${port} is already in use`);
  await expect(fetch(`http://127.0.0.1:${port + 10}/`)).rejects.toThrow('fetch failed');
  taken.close();
});
