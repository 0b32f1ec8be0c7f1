import type { Plugin } from 'vite';
import { mostlyIdleChunks } from './chunks.ts';
import { filesOfFirstPages } from './preload-manifest.ts';

/**
 * Asks the browser to compile all functions of the chunks that pages are shown with, on another thread while they arrive. Otherwise it
 * compiles each when it is first called, on the main thread: 1,900 of them until a list is usable.
 */
export function compileHints(): Plugin {
  return {
    name: 'hengfu:compile-hints',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const first = filesOfFirstPages(this, bundle);
        for (const chunk of Object.values(bundle)) {
          if (chunk.type === 'chunk' && first.has(chunk.fileName) && !mostlyIdleChunks.has(chunk.name))
            chunk.code = `//# allFunctionsCalledOnLoad\n${chunk.code}`;
        }
      },
    },
  };
}
