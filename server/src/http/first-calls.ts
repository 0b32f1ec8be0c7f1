import { accountEndpoints } from '@hengfu/contract/account';
import { approvalEndpoints } from '@hengfu/contract/approvals';
import { auditEndpoints } from '@hengfu/contract/audit-log';
import { callbackMessageEndpoints } from '@hengfu/contract/callback-messages';
import { collectionEndpoints } from '@hengfu/contract/collections';
import { dashboardEndpoints } from '@hengfu/contract/dashboard';
import type { EndpointShape } from '@hengfu/contract/endpoint';
import { exportEndpoints } from '@hengfu/contract/exports';
import { fundFlowEndpoints } from '@hengfu/contract/fund-flow';
import { paymentLinkEndpoints } from '@hengfu/contract/payment-links';
import { payoutEndpoints } from '@hengfu/contract/payouts';
import { refundEndpoints } from '@hengfu/contract/refunds';
import { requestLogEndpoints } from '@hengfu/contract/request-log';
import { settlementEndpoints } from '@hengfu/contract/settlements';
import { topupEndpoints } from '@hengfu/contract/topups';
import { withdrawalEndpoints } from '@hengfu/contract/withdrawals';
import { merchantHeader } from '@hengfu/contract/workplaces';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { within } from '#threads/within.ts';
import { replyToFirstCall } from './inner-calls.ts';

const overview = [dashboardEndpoints.get, accountEndpoints.get, dashboardEndpoints.agenda];

/** The calls, without parameters, that a page makes before it shows anything, by the page's path. */
const firstCalls: Readonly<Record<string, readonly EndpointShape[]>> = {
  '/': overview,
  '/dashboard': overview,
  '/fund/fundWater': [accountEndpoints.get, accountEndpoints.breakdown],
};

/** The list that a page shows, by the page's path. */
const lists: Readonly<Record<string, EndpointShape>> = {
  '/approvals': approvalEndpoints.list,
  '/behalfPay/transfers': payoutEndpoints.list,
  '/collection/Settlements': settlementEndpoints.list,
  '/collection/links': paymentLinkEndpoints.list,
  '/collection/payments': collectionEndpoints.list,
  '/collection/refunds': refundEndpoints.list,
  '/developers/callbacks': callbackMessageEndpoints.list,
  '/developers/requests': requestLogEndpoints.list,
  '/fund/fundWater': fundFlowEndpoints.list,
  '/lineExport': exportEndpoints.list,
  '/recharge/record': topupEndpoints.list,
  '/setting/auditLog': auditEndpoints.list,
  '/withdrawal/record': withdrawalEndpoints.list,
};

/** Longest time that a page waits for the rows of its list. After that it is sent without, and asks for them itself. */
const patienceMs = 400;
/** Time in which no page of a merchant waits for a list that has just kept one waiting: it is read twice then, when the database is slow. */
const restMs = 30_000;

/** Replies by the path of the call that they answer. */
export interface FirstReplies {
  replies: Readonly<Record<string, unknown>>;
  /** First pages of lists, without filters. */
  lists: Readonly<Record<string, unknown>>;
}

/** The data of a page that makes all of its calls itself. */
export const noReplies: FirstReplies = { replies: {}, lists: {} };

/** A page that is asked for, and its merchant's code. */
interface AskedPage {
  path: string;
  code: string;
}

/**
 * Answers the calls that a page would make first: embedded in the page, their replies save a round trip, and the page is not rendered
 * without data first. Each call is made with the browser's own cookies, for the page's merchant. A call that is refused is left to the page.
 * So are the rows of a page whose address has parameters: only the page knows which of them are valid.
 */
export class FirstCalls {
  readonly #app: FastifyInstance;
  readonly #patienceMs: number;
  /** Lists that no page of a merchant waits for, and until when, by `performance.now()`. */
  readonly #restsUntil = new Map<string, number>();

  constructor(app: FastifyInstance, patience = patienceMs) {
    this.#app = app;
    this.#patienceMs = patience;
  }

  /** Returns the replies for a page. */
  async replies(request: FastifyRequest, { path, code }: AskedPage): Promise<FirstReplies> {
    const { cookie = '' } = request.headers;
    const language = request.headers['accept-language'] ?? '';
    const headers = { cookie, 'accept-language': language, [merchantHeader]: code };
    const replyTo = async ({ path: url }: EndpointShape) =>
      [url, await replyToFirstCall(this.#app, request, { url, headers })] as const;
    const list = request.url.includes('?') ? undefined : lists[path];
    const name = `${code} ${path}`;
    const [replies, rows] = await Promise.all([
      Promise.all((firstCalls[path] ?? []).map(replyTo)),
      list && !this.#rests(name) ? this.#inTime(name, replyTo(list)) : undefined,
    ]);
    return { replies: answered(replies), lists: answered(rows ? [rows] : []) };
  }

  #rests(name: string): boolean {
    if (performance.now() < (this.#restsUntil.get(name) ?? 0)) return true;
    this.#restsUntil.delete(name);
    return false;
  }

  /** Waits for the rows of a page's list; undefined if they take long. */
  async #inTime<T>(name: string, rows: Promise<T>): Promise<T | undefined> {
    try {
      return await within(this.#patienceMs, rows);
    } catch {
      this.#restsUntil.set(name, performance.now() + restMs);
      return undefined;
    }
  }
}

const answered = (replies: readonly (readonly [string, unknown])[]) =>
  Object.fromEntries(replies.filter(([, reply]) => reply !== undefined));
