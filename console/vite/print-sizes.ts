import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { brotliCompressSync } from 'node:zlib';

/**
 * Prints the transfer size (brotli) of the first load of some pages: the files that the HTML references and
 * those that preload.json adds. Run `npm run sizes -w console [-- folder]` after a build.
 */
const folder = resolve(process.argv[2] ?? resolve(import.meta.dirname, '../dist'));
const html = readFileSync(resolve(folder, 'index.html'), 'utf8');
const preload = JSON.parse(readFileSync(resolve(folder, 'preload.json'), 'utf8'));
const own = [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+\.(?:js|css))"/g)].map(
  (match) => match[1] ?? '',
);

const pages: [page: string, language: string][] = [
  ['/login', 'zh-cn'],
  ['/login', 'vi'],
  ['/dashboard', 'zh-cn'],
  ['/collection/payments', 'zh-cn'],
];
for (const [page, language] of pages) {
  const files = new Set([...own, ...(preload.routes[page] ?? []), ...preload.languages[language]]);
  const sizes = [...files].map((file) => [file, brotliSize(readFileSync(resolve(folder, file)))] as const);
  const total = sizes.reduce((sum, [, size]) => sum + size, brotliSize(Buffer.from(html)));
  write(`\n${page} (${language}): ${kilobytes(total)} in ${files.size + 1} requests`);
  for (const [file, size] of sizes.toSorted((a, b) => b[1] - a[1])) write(`  ${kilobytes(size)}  ${file}`);
}

function brotliSize(content: Buffer): number {
  return brotliCompressSync(content).length;
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1).padStart(6)} KB`;
}

function write(line: string): void {
  process.stdout.write(`${line}\n`);
}
