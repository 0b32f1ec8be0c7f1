import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { build } from 'vite';

const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript' };

/** Builds a bare React page like the console, and serves it compressed. */
export async function serveYardstick(): Promise<{ url: string; close(): Promise<void> }> {
  const outDir = await mkdtemp(join(tmpdir(), 'hengfu-yardstick-'));
  await build({
    root: join(import.meta.dirname, '../yardstick'),
    configFile: false,
    logLevel: 'warn',
    plugins: [react()],
    build: { outDir, target: 'es2023', modulePreload: { polyfill: false }, emptyOutDir: true },
  });
  const files = new Map<string, Buffer>();
  for (const file of await readdir(outDir, { recursive: true, withFileTypes: true })) {
    if (!file.isFile()) continue;
    const path = join(file.parentPath, file.name);
    files.set(path.slice(outDir.length), brotliCompressSync(await readFile(path)));
  }
  await rm(outDir, { recursive: true });
  const server = createServer((request, response) => {
    const path = request.url === '/' ? '/index.html' : (request.url ?? '');
    const body = files.get(path);
    if (!body) return response.writeHead(404).end();
    const type = types[extname(path)] ?? 'application/octet-stream';
    return response.writeHead(200, { 'content-type': type, 'content-encoding': 'br' }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
