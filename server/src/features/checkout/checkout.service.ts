import { createHash } from 'node:crypto';
import type { AuditValues } from '@hengfu/contract/audit-fields';
import { logoSide, type SetCheckout } from '@hengfu/contract/checkout';
import { logoTypeOf, maxImageBytes, maxImagePixels } from '@hengfu/contract/images';
import type { Database } from '#db/database.ts';
import { auditPerson } from '#domain/audit.sql.ts';
import type { Person, RequestInfo } from '#domain/caller.ts';
import { fieldRefusal, Refusal } from '#domain/refusal.ts';
import { rewriteImage } from '#files/images.ts';
import { type Brand, findLogo, type Logo, lockBrand, readBrand, saveBrand } from './checkout.sql.ts';

export type { Brand } from './checkout.sql.ts';

const busyRetrySeconds = 5;

/** How merchants appear to their payers. */
export class CheckoutService {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns what a merchant has set. */
  find(merchantId: bigint): Promise<Brand> {
    return this.#database.asMerchant(merchantId, (tx) => readBrand(tx), { oneStatement: true });
  }

  /** Changes it. Throws `validation_failed` on `logo` for a file that is no picture, and `uploads_busy`. */
  async set(person: Person, request: RequestInfo, { logo: given, ...texts }: SetCheckout): Promise<Brand> {
    const { merchantId } = person.home;
    const logo = typeof given === 'string' ? await logoOf(given, merchantId) : given;
    return this.#database.asMerchant(merchantId, async (tx) => {
      const before = await lockBrand(tx);
      const after = await saveBrand(tx, texts, logo);
      if (!isSame(before, after))
        await auditPerson(tx, person, request, 'checkout.set', {
          before: recorded(before),
          after: recorded(after),
        });
      return after;
    });
  }

  /** Returns a logo by its name. Throws `not_found`, also for one that was replaced. */
  async logo(name: string): Promise<Buffer> {
    const found = await this.#database.asSystem((tx) => findLogo(tx, name), { oneStatement: true });
    if (!found) throw new Refusal('not_found');
    return found;
  }
}

/** Re-encodes a logo, so that only the picture is kept. */
async function logoOf(base64: string, merchantId: bigint): Promise<Logo> {
  const bytes = Buffer.from(base64, 'base64');
  const type = logoTypeOf(bytes);
  // The decoder skips invalid characters: only valid Base64 encodes back to the same text.
  if (!type || bytes.length > maxImageBytes || bytes.toString('base64') !== base64)
    throw fieldRefusal('logo', 'validation.logo');
  const rewritten = await rewriteImage({ type, bytes, logoSide }, String(merchantId));
  if (typeof rewritten !== 'string')
    return { bytes: rewritten.bytes, sha256: createHash('sha256').update(rewritten.bytes).digest() };
  if (rewritten === 'busy')
    throw new Refusal('uploads_busy', {
      values: { count: busyRetrySeconds },
      retryAfterSeconds: busyRetrySeconds,
    });
  if (rewritten === 'tooManyPixels')
    throw fieldRefusal('logo', 'validation.screenshotPixels', { side: Math.sqrt(maxImagePixels) });
  throw fieldRefusal('logo', 'validation.logo');
}

function isSame(before: Brand, after: Brand): boolean {
  return before.name === after.name && before.color === after.color && before.logoName === after.logoName;
}

/** The settings as the audit log has them. */
function recorded({ name, color, logoName }: Brand): AuditValues {
  return { displayName: name, color, logo: logoName };
}
