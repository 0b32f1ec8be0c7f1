import { type IpPreview, maxIpLines } from '@hengfu/contract/ip-address';
import type { Database } from '#db/database.ts';
import { auditPerson } from '#domain/audit.sql.ts';
import type { Person, RequestInfo } from '#domain/caller.ts';
import { fieldRefusal, Refusal } from '#domain/refusal.ts';
import { refuseClosed } from '#domain/whitelist.sql.ts';
import { refuseOpen } from '#security/open-blocks.ts';
import { formatBlock, parseBlocks } from './ip-address.rules.ts';
import { isInside, listCallers, readAllowed, replaceAllowed } from './ip-address.sql.ts';

/** A list to save, and what the person has confirmed about it. */
interface NewList {
  addresses: string;
  confirmOpen?: boolean | undefined;
  confirmClosed?: boolean | undefined;
}

/** Manages a merchant's IP whitelist for its own people. */
export class IpAddressService {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns the lines of the whitelist. */
  async find(merchantId: bigint): Promise<string[]> {
    const blocks = await this.#database.asMerchant(merchantId, (tx) => readAllowed(tx), {
      oneStatement: true,
    });
    return blocks.map(formatBlock);
  }

  /**
   * Shows which recent callers a list would allow, without saving it. Throws `validation_failed` on
   * `addresses`, naming each wrong line.
   */
  async preview(person: Person, request: RequestInfo, text: string): Promise<IpPreview> {
    const blocks = validBlocks(text);
    const { address } = request;
    return this.#database.asMerchant(person.home.merchantId, async (tx) => {
      const [callers, isAllowed] = await Promise.all([
        listCallers(tx, blocks),
        isInside(tx, address, blocks),
      ]);
      const calls = callers.map((caller) => ({
        address: caller.address,
        count: Number(caller.calls),
        isAllowed: caller.isAllowed,
      }));
      return { yours: { address, isAllowed }, calls };
    });
  }

  /**
   * Replaces the list. Throws like {@link preview}; `whitelist_open` if the list allows a large part of the internet
   * and `confirmOpen` is not set; `whitelist_empty` or `whitelist_excludes` if it would stop the merchant's systems
   * and `confirmClosed` is not set.
   */
  async set(
    person: Person,
    request: RequestInfo,
    { addresses, confirmOpen, confirmClosed }: NewList,
  ): Promise<void> {
    const blocks = validBlocks(addresses);
    if (!confirmOpen) refuseOpen(blocks);
    const { merchantId } = person.home;
    await this.#database.asSystem(async (tx) => {
      if (!confirmClosed) await refuseClosed(tx, merchantId, blocks);
      const before = await replaceAllowed(tx, merchantId, blocks);
      await auditPerson(tx, person, request, 'ip_address.set', {
        before: { blocks: before },
        after: { blocks },
      });
    });
  }
}

function validBlocks(text: string): string[] {
  // Counted before parsing, which costs far more.
  const lineCount = text.split('\n').filter((line) => line.trim() !== '').length;
  if (lineCount > maxIpLines) throw fieldRefusal('addresses', 'validation.ipTooMany', { count: maxIpLines });
  const { blocks, wrong } = parseBlocks(text);
  if (wrong.length > 0) {
    const fields = wrong.map((values) => ({
      field: 'addresses',
      phrase: 'validation.ipLine' as const,
      values: { ...values },
    }));
    throw new Refusal('validation_failed', { fields });
  }
  return blocks;
}
