import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import staticFiles from '@fastify/static';
import { type Language, languages } from '@hengfu/contract/languages';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod';
import { sendNotFound } from './error-handler.ts';

/** A built app: its files, and the name that its pages show. */
export interface BuiltApp {
  /** Path of its `dist`. */
  folder: string;
  title: string;
}

/** The data that a page embeds, and the address whose code it preloads. */
export interface PageBoot {
  boot: object;
  language: Language;
  /** The page that is shown, if not the one at the address. */
  shown?: string;
}

const preloadFile = z.object({
  routes: z.record(z.string(), z.array(z.string())),
  languages: z.record(z.string(), z.array(z.string())),
  payerLanguages: z.record(z.string(), z.array(z.string())).default({}),
});

const apiPath = /^\/(api|openapi)(\/|$)/;
/**
 * Matches paths that look like a file (`/.env`, `/record.zip`, `/record~`): if there is no such file, they
 * get a 404 instead of a page. After `/redirect/` only a plain name matches, since a URL may end like a file
 * (`/redirect/https://example.com`) and the page decides about it.
 */
export const filePath = /^(?!\/redirect\/(?![\w.~-]+$)).*(\/\.|(\.|%2e)\w{1,7}$|(~|%7e)$)/i;

/**
 * Serves a built app: hashed assets are cached for a year, pages never. Each page has a nonce for its scripts and embeds the data
 * that it would request first. Every path that is neither an API call nor a file is a page.
 */
export async function hostApp(
  app: FastifyInstance,
  built: BuiltApp,
  bootOf: (request: FastifyRequest, path: string) => Promise<PageBoot>,
): Promise<void> {
  if (!existsSync(join(built.folder, 'index.html'))) {
    app.log.warn({ folder: built.folder }, 'there is no built app to serve: npm run build');
    app.setNotFoundHandler(sendNotFound);
    return;
  }
  const page = await readPage(built, 'index.html');
  const preload = await readPreload(built);

  await app.register(staticFiles, {
    root: built.folder,
    wildcard: false,
    preCompressed: true,
    index: false,
    globIgnore: ['**/*.html', '**/*.map', '**/.*', '**/preload.json'],
    setHeaders: (response, path) => {
      if (path.includes('/assets/')) response.header('cache-control', 'public, max-age=31536000, immutable');
    },
  });

  app.setNotFoundHandler(async (request, reply) => {
    const isPage = request.method === 'GET' || request.method === 'HEAD';
    const path = request.url.split('?')[0] ?? '/';
    if (!isPage || apiPath.test(path) || path.startsWith('/assets/') || filePath.test(path))
      return sendNotFound(request, reply);
    const { boot, language, shown = path } = await bootOf(request, path);
    // The page's own code last, which ends with its largest chunk.
    return sendPage(request, reply, page, boot, [
      ...(preload.languages[language] ?? []),
      ...(preload.routes[shown] ?? []),
    ]);
  });
}

/** Reads which files each page of a built app needs beyond its entry. */
export async function readPreload({ folder }: BuiltApp): Promise<z.output<typeof preloadFile>> {
  return preloadFile.parse(JSON.parse(await readFile(join(folder, 'preload.json'), 'utf8')));
}

/** Reads a built page and gives it the product's name, because link previews read it without running scripts. */
export async function readPage({ folder, title }: BuiltApp, name: string): Promise<string> {
  const html = await readFile(join(folder, name), 'utf8');
  return html.replace(/<title>[^<]*<\/title>/, () => `<title>${htmlText(title)}</title>`);
}

/** Escapes a text for HTML. */
function htmlText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Returns the language from the browser's cookie, else the user's, else the first. */
export function preferredLanguage(request: FastifyRequest, userLanguage?: Language | null): Language {
  const cookie = request.cookies.language;
  return languages.find((language) => language === cookie) ?? userLanguage ?? languages[0];
}

/** Sends a page with its data embedded, and with the code that it needs first. */
export function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  page: string,
  boot: object,
  modules: readonly string[],
): FastifyReply {
  const nonce = request.cspNonce;
  // Escapes "<", since "</script" in a name would end the element early.
  const json = JSON.stringify(boot).replaceAll('<', '\\u003c');
  const preloads = modules
    .map((file) => `<link rel="modulepreload" href="/${file}" nonce="${nonce}">`)
    .join('');
  const html = page.replaceAll('__CSP_NONCE__', nonce).replace(
    '<!--boot-->',
    // The code first, so that it is requested before the data has arrived.
    () => `${preloads}<script id="boot" type="application/json" nonce="${nonce}">${json}</script>`,
  );
  return reply.header('cache-control', 'no-store').type('text/html; charset=utf-8').send(html);
}
