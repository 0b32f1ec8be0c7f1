import { resolve } from 'node:path';
import type { Rolldown } from 'vite';

type Group = Rolldown.CodeSplittingGroup;
type ChunkingContext = Parameters<Extract<Group['name'], (...args: never) => unknown>>[1];

/**
 * Groups modules into few chunks by when they are needed, because each request costs a phone a round trip.
 * `common` is shared by cashier and console, so that the cashier loads nothing else of the console. `core` is the console's entry, with the
 * sign-in page and all style sheets. `console` is the frame, and what the dashboard and the lists that people often open share with other
 * pages; `pages` is everything else that several pages need. A third chunk for lists would spare the dashboard 35 KB, and cost each list a
 * request more. `payer` is for payers' pages. A page's own modules, and those imported dynamically later, get their own chunks.
 */
export const chunkGroups: Group[] = [
  { name: nameOf, debugName: 'shared', includeDependenciesRecursively: false },
];

type Shared = 'common' | 'core' | 'console' | 'pages';
/** Names of the chunks of which no page runs the larger part at once. */
export const mostlyIdleChunks: ReadonlySet<string> = new Set(['pages', 'qr']);

const app = resolve(import.meta.dirname, '../src/app');
const cashierParts = /\/src\/(app|features)\/cashier/;
/** Parts that payers' pages share. The console has a preview made of some. */
const payerParts = /\/src\/features\/cashier\/[^/]+\.tsx?$/;
/** Phrases belong to a language: in a shared chunk, every page would load them. */
const phrases = /\/phrases\/src\/([\w-]+)\/([\w-]+)\.ts$/;
/** Phrases that pages of payers load without the others. */
const payerTopics = /^(cashier|channels|receipts|pay-links|link-card)$/;
/** React and the bundler's helpers, which not every module's import list contains. */
const alwaysCommon = /\/node_modules\/(react|react-dom|scheduler)\/|vite\/preload-helper|rolldown\/runtime/;
/** Routes of lists that people often open. */
const listRoutes =
  /\/src\/routes\/(collection\/(payments|refunds|settlements)|behalfPay\/transfers|fund\/|(recharge|withdrawal)\/record|setting\/auditLog)/;
/** QR codes, which the checkout page and a few dialogs show, and no page that is opened first. */
const qrCode = /\/node_modules\/uqr\/|\/ui\/src\/values\/qr-[\w-]+\.tsx?$/;
/** Parts in chunks of their own that their page shows at once. */
export const shownAtOnce = /\/src\/features\/dashboard\/chart\/line-chart\.tsx$/;
const styleSheet = /\/(src|uplot)\/.*\.css$/;

let plan: Map<string, Shared> | undefined;

function nameOf(id: string, context: ChunkingContext): Shared | 'payer' | `payer-${string}` | 'qr' | null {
  plan ??= planChunks(context);
  if (qrCode.test(id)) return 'qr';
  if (payerParts.test(id)) return 'payer';
  const [, language, topic = ''] = phrases.exec(id) ?? [];
  if (language) return payerTopics.test(topic) ? `payer-${language}` : null;
  if (cashierParts.test(id)) return null;
  if (alwaysCommon.test(id)) return 'common';
  return styleSheet.test(id) ? 'core' : (plan.get(id) ?? null);
}

/** Assigns shared modules to chunks; later assignments override earlier ones. */
function planChunks(context: ChunkingContext): Map<string, Shared> {
  const reach = (file: string) => reachableFrom(resolve(app, file), context);
  const frame = reach('console.tsx');
  const found = new Map<string, Shared>();
  const onDashboard = pagesOf(/\/src\/routes\/dashboard\.tsx$/, frame, context);
  const onList = pagesOf(listRoutes, frame, context);
  for (const id of sharedByPages(frame, context))
    found.set(id, onDashboard.has(id) || onList.has(id) ? 'console' : 'pages');
  for (const id of frame) found.set(id, 'console');
  for (const id of reach('main.tsx')) found.set(id, 'core');
  for (const id of reach('cashier.tsx')) if (found.has(id)) found.set(id, 'common');
  return found;
}

/** The modules that the pages of routes need to be shown. */
function pagesOf(route: RegExp, frame: ReadonlySet<string>, context: ChunkingContext): ReadonlySet<string> {
  const dynamicImports = (id: string) => context.getModuleInfo(id)?.dynamicallyImportedIds ?? [];
  const pages = [...frame].filter((id) => route.test(id)).flatMap(dynamicImports);
  if (pages.length === 0) throw new Error(`${route} has no page`);
  const modules = new Set(pages.flatMap((page) => [...reachableFrom(page, context)]));
  const atOnce = [...modules].flatMap(dynamicImports).filter((id) => shownAtOnce.test(id));
  return new Set([...modules, ...atOnce.flatMap((part) => [...reachableFrom(part, context)])]);
}

/** Modules that a page imports statically, and that another page, or a lazy part of it, imports as well. */
function sharedByPages(frame: Set<string>, context: ChunkingContext): string[] {
  const routes = [...frame].filter((id) => id.includes('/src/routes/'));
  const pages = new Set(routes.flatMap(dynamicImports));
  const roots = new Set(pages);
  const reached = new Map<string, Set<string>>();
  for (const root of roots) {
    const modules = reachableFrom(root, context);
    reached.set(root, modules);
    for (const part of [...modules].flatMap(dynamicImports)) roots.add(part);
  }
  const uses = new Map<string, number>();
  for (const id of [...reached.values()].flatMap((modules) => [...modules]))
    uses.set(id, (uses.get(id) ?? 0) + 1);
  const initial = new Set([...pages].flatMap((page) => [...(reached.get(page) ?? [])]));
  return [...initial].filter((id) => (uses.get(id) ?? 0) > 1);

  function dynamicImports(id: string): readonly string[] {
    return context.getModuleInfo(id)?.dynamicallyImportedIds ?? [];
  }
}

/** A module and everything it imports statically, directly or indirectly. */
function reachableFrom(entry: string, context: ChunkingContext): Set<string> {
  const found = new Set([entry]);
  for (const id of found) {
    // Iterating a Set also visits the elements added meanwhile.
    for (const imported of context.getModuleInfo(id)?.importedIds ?? []) found.add(imported);
  }
  return found;
}
