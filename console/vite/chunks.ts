import { resolve } from 'node:path';
import type { Rolldown } from 'vite';

type Group = Rolldown.CodeSplittingGroup;
type ChunkingContext = Parameters<Extract<Group['name'], (...args: never) => unknown>>[1];

/**
 * Few chunks, each with what is needed together: every further request costs a phone a round trip.
 * `common` is what cashier and console share, so that the cashier loads nothing of the console. `core` is the console's
 * entry, with the sign-in page and all style sheets. `console` is the frame, and what several
 * pages need. A page's own parts, and what is fetched later still, split off by themselves.
 */
export const chunkGroups: Group[] = [
  { name: nameOf, debugName: 'common, core, console', includeDependenciesRecursively: false },
];

const app = resolve(import.meta.dirname, '../src/app');
const cashierParts = /\/src\/(app|features)\/cashier/;
/** React's parts and the bundler's own help, which not every import list names. */
const always = /\/node_modules\/(react|react-dom|scheduler)\/|vite\/preload-helper|rolldown\/runtime/;
const styleSheet = /\/(src|uplot)\/.*\.css$/;

let plan: Map<string, string> | undefined;

function nameOf(id: string, context: ChunkingContext): string | null {
  plan ??= planChunks(context);
  if (cashierParts.test(id)) return null;
  if (always.test(id)) return 'common';
  return styleSheet.test(id) ? 'core' : (plan.get(id) ?? null);
}

/** Which chunk each shared module goes to; later assignments are stronger. */
function planChunks(context: ChunkingContext): Map<string, string> {
  const reach = (file: string) => reachableFrom(resolve(app, file), context);
  const frame = reach('console.tsx');
  const found = new Map<string, string>();
  for (const id of [...frame, ...sharedByPages(frame, context)]) found.set(id, 'console');
  for (const id of reach('main.tsx')) found.set(id, 'core');
  for (const id of reach('cashier.tsx')) if (found.has(id)) found.set(id, 'common');
  return found;
}

/** What a page needs at once that another page, or a later part of the same one, needs too. */
function sharedByPages(frame: Set<string>, context: ChunkingContext): string[] {
  const pages = new Set([...frame].filter((id) => id.includes('/src/routes/')).flatMap(laterParts));
  const roots = new Set(pages);
  const reached = new Map<string, Set<string>>();
  for (const root of roots) {
    const modules = reachableFrom(root, context);
    reached.set(root, modules);
    for (const part of [...modules].flatMap(laterParts)) roots.add(part);
  }
  const uses = new Map<string, number>();
  for (const id of [...reached.values()].flatMap((modules) => [...modules]))
    uses.set(id, (uses.get(id) ?? 0) + 1);
  const atOnce = new Set([...pages].flatMap((page) => [...(reached.get(page) ?? [])]));
  return [...atOnce].filter((id) => (uses.get(id) ?? 0) > 1);

  function laterParts(id: string): readonly string[] {
    return context.getModuleInfo(id)?.dynamicallyImportedIds ?? [];
  }
}

/** The modules that one imports without a dynamic import in between, itself included. */
function reachableFrom(entry: string, context: ChunkingContext): Set<string> {
  const found = new Set([entry]);
  for (const id of found) {
    // A set that grows while it is walked is walked to its end.
    for (const imported of context.getModuleInfo(id)?.importedIds ?? []) found.add(imported);
  }
  return found;
}
