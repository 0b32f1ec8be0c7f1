import { accessSettings } from '@hengfu/contract/access-requests';
import type { ApprovalQuery, ShownMark } from '@hengfu/contract/approvals';
import type { Database } from '#db/database.ts';
import { hasRules } from '#domain/approvals.sql.ts';
import type { Person } from '#domain/caller.ts';
import type { Page } from '#domain/list.sql.ts';
import { Refusal } from '#domain/refusal.ts';
import type { ApprovalService } from './approvals.service.ts';
import {
  countWaiting,
  type Decision,
  findRequest,
  listApprovals,
  listDecisions,
  type SeenRequest,
} from './approvals.sql.ts';
import { type ExcludedRow, listExclusions } from './exclusions.sql.ts';
import { listPossible } from './rules.sql.ts';

/** A request with everything that an approver reads. */
export interface RequestHistory {
  request: SeenRequest;
  marks: ShownMark[];
  decisions: Decision[];
  /** How many rows its order has, and those that approvers have excluded; null for an order without rows. */
  rows: number | null;
  excluded: ExcludedRow[];
  /** Names of the people whom its rules may name, by their IDs. */
  names: ReadonlyMap<string, string>;
}

/** Reads requests as one person sees them. */
export class ApprovalReading {
  readonly #database: Database;
  readonly #approvals: ApprovalService;

  constructor(database: Database, approvals: ApprovalService) {
    this.#database = database;
    this.#approvals = approvals;
  }

  list({ userId, roles, perms, home }: Person, query: ApprovalQuery): Promise<Page<SeenRequest>> {
    return this.#database.asMerchant(
      home.merchantId,
      (tx) => listApprovals(tx, { userId, roles, perms }, query),
      {
        snapshot: true,
      },
    );
  }

  /** Lists the changes of the access key and of the whitelist that wait, and whether a rule asks for approval of such a change. */
  access({
    userId,
    roles,
    perms,
    home,
  }: Person): Promise<{ needsApproval: boolean; waiting: SeenRequest[] }> {
    return this.#database.asMerchant(home.merchantId, async (tx) => {
      const query = { kind: ['access' as const], state: ['waiting' as const], limit: accessSettings.length };
      const { rows } = await listApprovals(tx, { userId, roles, perms }, query);
      return {
        needsApproval: await hasRules(tx, home.merchantId, 'access'),
        // One that has expired ends within seconds.
        waiting: rows.filter(({ expires_at: expiresAt }) => expiresAt.getTime() > Date.now()),
      };
    });
  }

  /** Counts the requests that wait for a person, up to 100. */
  waiting({ userId, roles, perms, home }: Person): Promise<number> {
    return this.#database.asMerchant(home.merchantId, (tx) => countWaiting(tx, { userId, roles, perms }), {
      oneStatement: true,
    });
  }

  /** Throws `not_found`, also for another merchant's request. */
  find({ userId, roles, perms, home }: Person, requestNo: string): Promise<SeenRequest> {
    return this.#database.asMerchant(home.merchantId, async (tx) => {
      const found = await findRequest(tx, requestNo, { userId, roles, perms });
      if (!found) throw new Refusal('not_found');
      return found;
    });
  }

  /** Throws `not_found`, likewise. */
  history({ userId, roles, perms, home }: Person, requestNo: string): Promise<RequestHistory> {
    return this.#database.asMerchant(home.merchantId, async (tx) => {
      const request = await findRequest(tx, requestNo, { userId, roles, perms });
      if (!request) throw new Refusal('not_found');
      const people = request.kind === 'rules' ? await listPossible(tx) : [];
      return {
        request,
        marks: await this.#approvals.marks(tx, request),
        decisions: await listDecisions(tx, request),
        rows: await this.#approvals.countRows(tx, request),
        excluded: request.kind === 'batch' ? await listExclusions(tx, request) : [],
        names: new Map(people.map(({ id, name }) => [id, name])),
      };
    });
  }
}
