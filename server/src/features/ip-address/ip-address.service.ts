import { type IpPreview, maxIpLines } from '@hengfu/contract/ip-address';
import type { Database } from '#db/database.ts';
import { auditPerson } from '#domain/audit.sql.ts';
import type { Person, RequestInfo } from '#domain/caller.ts';
import { fieldRefusal, Refusal } from '#domain/refusal.ts';
import { refuseOpen } from '#security/open-blocks.ts';
import { readBlocks, shownBlock } from './ip-address.rules.ts';
import { isInside, listCallers, readAllowed, replaceAllowed } from './ip-address.sql.ts';

/** The addresses that a merchant's programs may call from, as its own people manage them. */
export class IpAddressService {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** The lines of the whitelist. */
  async find(merchantId: bigint): Promise<string[]> {
    const blocks = await this.#database.asMerchant(merchantId, (tx) => readAllowed(tx), {
      oneStatement: true,
    });
    return blocks.map(shownBlock);
  }

  /** What a list would do. Throws `validation_failed` on `addresses`, naming each wrong line. */
  async preview(person: Person, request: RequestInfo, text: string): Promise<IpPreview> {
    const blocks = blocksOf(text);
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
   * Replaces the list. Throws like {@link preview}, and `whitelist_open` if the list allows a large part of the internet
   * and `confirmOpen` is not set.
   */
  async set(
    person: Person,
    request: RequestInfo,
    { addresses, confirmOpen }: { addresses: string; confirmOpen?: boolean | undefined },
  ): Promise<void> {
    const blocks = blocksOf(addresses);
    if (!confirmOpen) refuseOpen(blocks);
    const { merchantId } = person.home;
    await this.#database.asSystem(async (tx) => {
      const before = await replaceAllowed(tx, merchantId, blocks);
      await auditPerson(tx, person, request, 'ip_address.set', {
        before: { blocks: before },
        after: { blocks },
      });
    });
  }
}

function blocksOf(text: string): string[] {
  // Counted before any line is read: reading costs far more.
  const lineCount = text.split('\n').filter((line) => line.trim() !== '').length;
  if (lineCount > maxIpLines) throw fieldRefusal('addresses', 'validation.ipTooMany', { count: maxIpLines });
  const { blocks, wrong } = readBlocks(text);
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
