import type { Plugin } from 'vite';
import { mostlyRunChunks } from './chunks.ts';

/**
 * Asks the browser to compile all functions of the shared chunks at once, on another thread while they arrive. Otherwise it compiles
 * each when it is first called, on the main thread: 1,900 of them until a list is usable.
 */
export function compileHints(): Plugin {
  return {
    name: 'hengfu:compile-hints',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const chunk of Object.values(bundle)) {
          if (chunk.type === 'chunk' && mostlyRunChunks.has(chunk.name))
            chunk.code = `//# allFunctionsCalledOnLoad\n${chunk.code}`;
        }
      },
    },
  };
}
