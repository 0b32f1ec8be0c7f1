import { randomBytes } from 'node:crypto';
import formbody from '@fastify/formbody';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { CollectionService } from './collections.service.ts';
import type { Collection } from './collections.sql.ts';
import { BankError } from './errors.ts';
import { chooseLanguage, type Language } from './language.ts';
import { renderPayPage } from './pay-page.html.ts';

const idParams = z.object({ id: z.string() });
const languageChoice = z.object({ lang: z.string() }).partial().catch({});

/** Registers the payer's pages. Anyone with an order's URL can pay it. */
export function registerPayPage(app: FastifyInstance, collections: CollectionService): void {
  app.register(async (pages) => {
    await pages.register(formbody);

    pages.get('/pay/:id', async (request, reply) => {
      const collection = collections.findById(idParams.parse(request.params).id);
      return sendPage(reply, collection, languageOf(request, request.query));
    });

    pages.post('/pay/:id/confirm', async (request, reply) => act(request, reply, collections.confirm));
    pages.post('/pay/:id/decline', async (request, reply) => act(request, reply, collections.decline));
  });

  function act(request: FastifyRequest, reply: FastifyReply, move: (collection: Collection) => Collection) {
    const language = languageOf(request, request.body);
    const collection = collections.findById(idParams.parse(request.params).id);
    if (collection === undefined) return sendPage(reply, collection, language);
    const ownPage = `../${collection.id}?lang=${language}`;
    try {
      const { returnUrl } = move(collection);
      return reply.redirect(returnUrl ?? ownPage, 303);
    } catch (error) {
      // The order has changed in the meantime: its page shows how.
      if (error instanceof BankError) return reply.redirect(ownPage, 303);
      throw error;
    }
  }
}

function languageOf(request: FastifyRequest, fields: unknown): Language {
  return chooseLanguage(languageChoice.parse(fields).lang, request.headers['accept-language']);
}

function sendPage(reply: FastifyReply, collection: Collection | undefined, language: Language): FastifyReply {
  const nonce = randomBytes(16).toString('base64');
  return reply
    .code(collection === undefined ? 404 : 200)
    .headers({
      'content-security-policy': contentSecurityPolicy(nonce, collection?.returnUrl ?? undefined),
      'content-language': language,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      vary: 'Accept-Language',
      'x-content-type-options': 'nosniff',
    })
    .type('text/html; charset=utf-8')
    .send(renderPayPage(collection, { language, nonce, nowMs: Date.now() }));
}

/**
 * Allows nothing but the page's own style and script. Browsers apply `form-action` to a form's redirect too,
 * hence the return URL.
 */
function contentSecurityPolicy(nonce: string, returnUrl: string | undefined): string {
  const returnSource = returnUrl === undefined ? '' : ` ${formActionSource(new URL(returnUrl))}`;
  return [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    `script-src 'nonce-${nonce}'`,
    'img-src data:',
    `form-action 'self'${returnSource}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/**
 * Returns the source of a return URL: its origin, or only its scheme if the host has characters that would
 * end the directive or is an IPv6 address, which a policy cannot name.
 */
function formActionSource({ protocol, hostname, origin }: URL): string {
  return /^[a-z0-9.-]+$/.test(hostname) ? origin : protocol;
}
