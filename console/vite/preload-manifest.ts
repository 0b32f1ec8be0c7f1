import type { Plugin, Rolldown } from 'vite';
import { shownAtOnce } from './chunks.ts';

/** Content of dist/preload.json: files that the server lists in `<link rel="modulepreload">`. */
interface PreloadManifest {
  /** The chunks of each page, including the frame, by path. */
  routes: Record<string, string[]>;
  /** The phrases of each language. */
  languages: Record<string, string[]>;
  /** The phrases of the pages that payers see, by language. */
  payerLanguages: Record<string, string[]>;
}

const languages = ['zh-cn', 'en', 'vi'];
/** The module that the entry loads next on every page except sign-in, which is part of the entry. */
const consoleModule = /\/src\/app\/console\.tsx$/;
const routeFile = /\/src\/routes\/[^.]+\.tsx$/;

/**
 * Writes which chunks each address needs beyond the entry, so that the browser can fetch them in parallel
 * with it. A route's pages are the dynamic imports of its file; its path is read from the same file.
 */
export function preloadManifest(): Plugin {
  return {
    name: 'hengfu:preload-manifest',
    apply: 'build',
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      const filesOf = (matches: (module: string) => boolean) => closure(chunks, matches);
      const manifest: PreloadManifest = { routes: {}, languages: {}, payerLanguages: {} };
      for (const id of this.getModuleIds()) {
        if (!routeFile.test(id)) continue;
        const info = this.getModuleInfo(id);
        const path = /\bpath:\s*["'`](\/[\w/]*)["'`]/.exec(info?.code ?? '')?.[1];
        const pages = new Set(info?.dynamicallyImportedIds);
        if (!path || pages.size === 0) continue;
        manifest.routes[path] = filesOf((module) => pages.has(module) || consoleModule.test(module));
      }
      manifest.routes['/'] = manifest.routes['/dashboard'] ?? manifest.routes['/'] ?? [];
      for (const language of languages) {
        manifest.languages[language] = filesOf((module) => module.endsWith(`/phrases/src/${language}.ts`));
        manifest.payerLanguages[language] = filesOf((module) =>
          module.endsWith(`/cashier/phrases/${language}.ts`),
        );
      }
      this.emitFile({ type: 'asset', fileName: 'preload.json', source: JSON.stringify(manifest, null, 2) });
    },
  };
}

/** The chunks of the matching modules and their static imports, without those that the entry loads anyway. */
function closure(chunks: Rolldown.OutputChunk[], matches: (module: string) => boolean): string[] {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const isShownAtOnce = (name: string) => shownAtOnce.test(byName.get(name)?.facadeModuleId ?? '');
  const walk = (found: Set<string>, names: readonly string[]) => {
    for (const name of names) {
      const chunk = byName.get(name);
      if (!chunk || found.has(name)) continue;
      found.add(name);
      walk(found, chunk.imports);
      walk(found, chunk.dynamicImports.filter(isShownAtOnce));
    }
    return found;
  };
  const entry = chunks.filter((chunk) => chunk.isEntry && chunk.name === 'index');
  const loadedByEntry = walk(
    new Set(),
    entry.map((chunk) => chunk.fileName),
  );
  const matching = chunks
    .filter((chunk) => [chunk.facadeModuleId ?? '', ...chunk.moduleIds].some(matches))
    .map((chunk) => chunk.fileName);
  return [...walk(new Set(), matching)].filter((name) => !loadedByEntry.has(name));
}
