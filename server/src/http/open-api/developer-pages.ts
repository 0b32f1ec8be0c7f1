import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendNotFound } from '../error-handler.ts';
import { escapeHtml, renderMarkdown, titleOf } from './markdown.ts';

/** The documents for developers that the product serves, beside the pages of error codes, by their path below `/docs`. */
export const developerDocuments = [
  'quickstart',
  'open-api',
  'open-api-payouts',
  'open-api-versions',
] as const;

const cacheSeconds = 300;

/** A document as HTML. */
interface RenderedPage {
  title: string;
  html: string;
}

/**
 * Serves the documents for developers as pages: those that replies to signed calls link to, and those that these link to. Their paths are
 * a fixed list, so no path leads to another file.
 */
export function developerPages(app: FastifyInstance, folder: string): void {
  // Each is rendered once: documents change with the product only.
  const rendered = new Map<string, Promise<RenderedPage>>();
  const send = async (path: string, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const rendering = rendered.get(path) ?? render(folder, path);
    rendered.set(path, rendering);
    return reply
      .type('text/html; charset=utf-8')
      .header('cache-control', `public, max-age=${cacheSeconds}`)
      .send(pageOf(await rendering, request.cspNonce));
  };
  const codes = new Set(readdirSync(join(folder, 'errors')).map((file) => file.replace(/\.md$/, '')));
  app.get('/docs/errors/:code', (request: FastifyRequest<{ Params: { code: string } }>, reply) => {
    const { code } = request.params;
    return codes.has(code) ? send(`errors/${code}`, request, reply) : sendNotFound(request, reply);
  });
  for (const name of developerDocuments)
    app.get(`/docs/${name}`, (request, reply) => send(name, request, reply));
}

async function render(folder: string, path: string): Promise<RenderedPage> {
  const text = await readFile(join(folder, `${path}.md`), 'utf8');
  return { title: titleOf(text), html: renderMarkdown(text, (target) => addressOf(path, target)) };
}

/** Returns the address of a link in a document: another page, a site, or a place in the page; undefined for a file that is not served. */
export function addressOf(path: string, target: string): string | undefined {
  if (/^(#|https:\/\/)/.test(target)) return target;
  const [file = '', anchor] = target.split('#');
  const name = posix.join(posix.dirname(path), file).replace(/\.md$/, '');
  const isServed = developerDocuments.some((each) => each === name) || /^errors\/\w+$/.test(name);
  return isServed ? `/docs/${name}${anchor === undefined ? '' : `#${anchor}`}` : undefined;
}

function pageOf({ title, html }: RenderedPage, nonce: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style nonce="${nonce}">${style}</style></head>
<body><main>${html}</main></body></html>`;
}

/** System colors follow the reader's light or dark theme. */
const style = `
:root { color-scheme: light dark; font: 16px/1.6 system-ui, sans-serif; }
body { margin: 0; background: Canvas; color: CanvasText; }
main { max-width: 46rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; overflow-wrap: anywhere; }
h1 { line-height: 1.2; } h2 { margin-top: 2rem; }
code, pre { font: 0.9em/1.5 ui-monospace, monospace; }
pre, .wide { overflow-x: auto; overflow-wrap: normal; }
pre { padding: 0.75rem 1rem; border: 1px solid GrayText; border-radius: 0.5rem; }
table { border-collapse: collapse; min-width: 100%; }
th, td { padding: 0.375rem 0.5rem; border-bottom: 1px solid GrayText; text-align: start; vertical-align: top; min-width: 6rem; }
`;
