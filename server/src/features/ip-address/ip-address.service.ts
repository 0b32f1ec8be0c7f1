import { type IpPreview, maxIpLines } from '@hengfu/contract/ip-address';
import type { Database } from '#db/database.ts';
import { askForAccess } from '#domain/access-approval.sql.ts';
import { auditPerson } from '#domain/audit.sql.ts';
import type { Person, RequestInfo } from '#domain/caller.ts';
import { Refusal } from '#domain/refusal.ts';
import { lockStanding } from '#domain/standing.sql.ts';
import { versionOf } from '#domain/version.ts';
import { refuseClosed } from '#domain/whitelist.sql.ts';
import { formatBlock } from '#security/addresses.ts';
import { validBlocks } from '#security/block-lines.ts';
import { refuseOpen } from '#security/open-blocks.ts';
import {
  areInside,
  isInside,
  listCallers,
  lockAllowed,
  readAllowed,
  replaceAllowed,
} from './ip-address.sql.ts';

/** A list to save, and what the person has confirmed about it. */
interface NewList {
  addresses: string;
  confirmOpen?: boolean | undefined;
  confirmClosed?: boolean | undefined;
  version?: string | undefined;
}

/** Manages a merchant's IP whitelist for its own people. */
export class IpAddressService {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns the lines of the whitelist, and its version. */
  async find(merchantId: bigint): Promise<{ addresses: string[]; version: string }> {
    const blocks = await this.#database.asMerchant(merchantId, (tx) => readAllowed(tx), {
      oneStatement: true,
    });
    return { addresses: blocks.map(formatBlock), version: versionOf(blocks) };
  }

  /**
   * Shows which recent callers a list would allow, without saving it. Throws `validation_failed` on
   * `addresses`, naming each wrong line.
   */
  async preview(person: Person, request: RequestInfo, text: string): Promise<IpPreview> {
    const blocks = validBlocks('addresses', text, maxIpLines);
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
   * Replaces the list. If a rule asks for approval, a list that allows an address that was not allowed waits, and the number of the request
   * is returned; one that allows less applies at once. Throws like {@link preview}; `whitelist_open` if the list allows a large part of the
   * internet and `confirmOpen` is not set; `whitelist_empty` or `whitelist_excludes` if it would stop the merchant's systems
   * and `confirmClosed` is not set; `conflict` if the list has changed since the given version; `request_waiting` while another change of it waits.
   */
  async set(
    person: Person,
    request: RequestInfo,
    { addresses, confirmOpen, confirmClosed = false, version }: NewList,
  ): Promise<string | undefined> {
    const blocks = validBlocks('addresses', addresses, maxIpLines);
    if (!confirmOpen) refuseOpen(blocks);
    const { merchantId } = person.home;
    return this.#database.asSystem(async (tx) => {
      await lockStanding(tx, merchantId);
      const before = await lockAllowed(tx, merchantId);
      if (version !== undefined && version !== versionOf(before)) throw new Refusal('conflict');
      if (!confirmClosed) await refuseClosed(tx, merchantId, blocks);
      if (!(await areInside(tx, blocks, before))) {
        const change = { before, after: blocks, isClosedConfirmed: confirmClosed };
        const asked = { setting: 'whitelist', action: 'whitelist', ...change } as const;
        const requestNo = await askForAccess(tx, person, request, asked);
        if (requestNo !== undefined) return requestNo;
      }
      await replaceAllowed(tx, merchantId, blocks);
      // Also for requests that cannot be approved any more.
      tx.changed(merchantId, 'approvals');
      await auditPerson(tx, person, request, 'ip_address.set', {
        before: { blocks: before },
        after: { blocks },
      });
      return undefined;
    });
  }
}
