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

const allLanguages = ['zh-cn', 'en', 'vi'];
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
      const manifest = preloadOf(this, bundle);
      this.emitFile({ type: 'asset', fileName: 'preload.json', source: JSON.stringify(manifest, null, 2) });
    },
  };
}

/** The chunks of a build, and what its modules import. */
type Build = Pick<Rolldown.PluginContext, 'getModuleIds' | 'getModuleInfo'>;

function preloadOf(build: Build, bundle: Rolldown.OutputBundle): PreloadManifest {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
  const filesOf = (matches: (module: string) => boolean) => closure(chunks, matches);
  const manifest: PreloadManifest = { routes: {}, languages: {}, payerLanguages: {} };
  for (const id of build.getModuleIds()) {
    if (!routeFile.test(id)) continue;
    const info = build.getModuleInfo(id);
    const path = /\bpath:\s*["'`](\/[\w/]*)["'`]/.exec(info?.code ?? '')?.[1];
    const pages = new Set(info?.dynamicallyImportedIds);
    if (!path || pages.size === 0) continue;
    manifest.routes[path] = filesOf((module) => pages.has(module) || consoleModule.test(module));
  }
  manifest.routes['/'] = manifest.routes['/dashboard'] ?? manifest.routes['/'] ?? [];
  for (const language of allLanguages) {
    manifest.languages[language] = filesOf((module) => module.endsWith(`/phrases/src/${language}.ts`));
    manifest.payerLanguages[language] = filesOf((module) =>
      module.endsWith(`/cashier/phrases/${language}.ts`),
    );
  }
  return manifest;
}

/** Names the files of all chunks that some page needs before it is shown, those of the entries among them. */
export function filesOfFirstPages(build: Build, bundle: Rolldown.OutputBundle): ReadonlySet<string> {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
  const entries = chunks.filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName);
  const { routes, languages, payerLanguages } = preloadOf(build, bundle);
  const preloads = [routes, languages, payerLanguages].flatMap((files) => Object.values(files).flat());
  return walk(chunks, [...entries, ...preloads]);
}

/**
 * The chunks of the matching modules and their static imports, without those that the entry loads anyway. The largest come last: browsers
 * open six connections, over which the smaller ones, and those of the entry, arrive first and can run meanwhile.
 */
function closure(chunks: Rolldown.OutputChunk[], matches: (module: string) => boolean): string[] {
  const sizes = new Map(chunks.map(({ fileName, code }) => [fileName, code.length]));
  const entry = chunks.filter((chunk) => chunk.isEntry && chunk.name === 'index');
  const loadedByEntry = walk(
    chunks,
    entry.map((chunk) => chunk.fileName),
  );
  const matching = chunks
    .filter((chunk) => [chunk.facadeModuleId ?? '', ...chunk.moduleIds].some(matches))
    .map((chunk) => chunk.fileName);
  return [...walk(chunks, matching)]
    .filter((name) => !loadedByEntry.has(name))
    .toSorted((one, other) => (sizes.get(one) ?? 0) - (sizes.get(other) ?? 0));
}

/** The files of the named chunks, of their static imports, and of their parts that are shown at once. */
function walk(chunks: readonly Rolldown.OutputChunk[], names: readonly string[]): ReadonlySet<string> {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const isShownAtOnce = (name: string) => shownAtOnce.test(byName.get(name)?.facadeModuleId ?? '');
  const found = new Set(names.filter((name) => byName.has(name)));
  for (const name of found) {
    const { imports = [], dynamicImports = [] } = byName.get(name) ?? {};
    // Iterating a Set also visits the elements added meanwhile.
    for (const next of [...imports, ...dynamicImports.filter(isShownAtOnce)])
      if (byName.has(next)) found.add(next);
  }
  return found;
}
