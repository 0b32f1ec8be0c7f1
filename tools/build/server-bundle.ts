import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { entries } from '@hengfu/server/folders.ts';
import type { Buildable } from './build-if-stale.ts';

/**
 * Packages that stay outside: they bring compiled code, or are found as files. All others become part of the build, so
 * that a start reads a handful of files instead of 1,700, and keeps no comment of theirs in memory.
 */
const external = [/^node:/, /^@node-rs\//, 'sharp', 'pdfkit', 'pg-native'];

/**
 * The server, with the packages that it needs, in one file for each {@link entries entry} and one for each part that is loaded later. Names are
 * kept: they are what a stack trace in the log shows.
 * @param base the repository
 */
export function serverBundle(base: string): Buildable {
  return {
    dist: join(base, 'server/dist'),
    sources: /^(server\/src|server\/package\.json|contract|phrases)/,
    bundle: (outDir) =>
      bundleProgram(
        base,
        Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, `server/src/${file}`])),
        outDir,
      ),
  };
}

/**
 * The sandbox bank, likewise: the product's start waits for it.
 * @param base the repository
 */
export function sandboxBundle(base: string): Buildable {
  return {
    dist: join(base, 'sandbox/dist'),
    sources: /^(sandbox\/src|sandbox\/package\.json)/,
    bundle: (outDir) => bundleProgram(base, { main: 'sandbox/src/main.ts' }, outDir),
  };
}

/**
 * The operator commands for tests: as a program of their own, and as one that runs many of them for the stories in the browser. Built, they
 * take a third of the processor time. They find files by their place, so they are as deep in the tree as the sources.
 * @param base the repository
 */
export function operatorBundle(base: string): Buildable {
  return {
    dist: join(base, 'e2e/dist'),
    sources: /^(server\/src|server\/package\.json|contract|phrases)/,
    testSources: /^server\/src\/testing\/operator-(run|server)\.ts$/,
    bundle: (outDir) =>
      bundleProgram(
        base,
        {
          operator: 'server/src/operator/main.ts',
          operatorServer: 'server/src/testing/operator-server.ts',
        },
        outDir,
      ),
  };
}

/** Bundles a program for Node, with a file for each of its entries. */
async function bundleProgram(base: string, input: Record<string, string>, outDir: string): Promise<void> {
  // Imported only here: a start that builds nothing does not wait for it.
  const { rolldown } = await import('rolldown');
  const bundle = await rolldown({
    cwd: base,
    input,
    platform: 'node',
    external,
    onLog: (level, log) => {
      if (level === 'warn') throw new Error(log.message);
    },
  });
  try {
    const { output } = await bundle.generate({
      format: 'esm',
      minify: { mangle: false, compress: true, codegen: true },
      entryFileNames: '[name].js',
      chunkFileNames: 'part-[hash].js',
    });
    for (const file of output)
      await writeFile(join(outDir, file.fileName), file.type === 'chunk' ? inAscii(file.code) : file.source);
  } finally {
    await bundle.close();
  }
}

/**
 * Escapes the characters beyond ASCII: with one of them, Node reads a file of this size as a text with two bytes a character, which it keeps.
 */
function inAscii(code: string): string {
  return code.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
