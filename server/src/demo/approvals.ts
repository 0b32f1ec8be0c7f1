import type { Services } from '#composition/services.ts';
import { accessApproval } from '#domain/access-approval.sql.ts';
import type { Home, RequestInfo } from '#domain/caller.ts';
import { ApprovalReading } from '../features/approvals/approvals.reading.ts';
import { ApprovalService } from '../features/approvals/approvals.service.ts';
import { letExpire, memberWith, requestOf, unsettledFrom } from './approvals.sql.ts';
import { personOf } from './people.ts';

type End = 'approved' | 'refused' | 'withdrawn' | 'expired' | 'waiting';

const days = 7;
/** Refunds from 500.00 on wait for approval. */
const refundFromMinor = 50_000n;
const operator = 'operator:demo';
const request: RequestInfo = { id: 'demo', address: '127.0.0.1', userAgent: undefined, language: 'zh-cn' };

/** The payouts that a demo merchant's rule covers, with what becomes of them. */
const payouts: readonly [amount: string, payee: string, payeeAccount: string, end: End][] = [
  ['20800.00', '苏州锦程物流有限公司', '6222021234567890011', 'approved'],
  ['26000.00', '杭州云帆科技有限公司', '6222021234567890029', 'refused'],
  ['21500.00', '苏州锦程物流有限公司', '6222021234567890037', 'withdrawn'],
  ['20000.00', '宁波海川贸易有限公司', '6222021234567890771', 'expired'],
  ['22600.00', '宁波海川贸易有限公司', '6222021234567890995', 'waiting'],
  ['20200.00', '成都千寻广告有限公司', '6222021234567890128', 'waiting'],
];

const one = { approvers: 1, people: [], roles: ['ROOT' as const, 'APPROVER' as const] };
const rules = [
  { ...one, kind: 'payout' as const, amountMinor: '2000000' },
  { ...one, kind: 'withdrawal' as const, amountMinor: '2000000' },
  { ...one, kind: 'refund' as const, amountMinor: String(refundFromMinor) },
  { ...one, kind: 'payee' as const, amountMinor: '1000000' },
];

/** Sets the rules of a demo merchant. Orders that are written before have no requests. */
export async function seedRules({ approvalRules }: Services, merchantId: bigint): Promise<void> {
  await approvalRules.setFor(merchantId, operator, { rules, days });
}

/** Creates requests for approval in every state. */
export async function seedRequests(
  services: Services,
  home: Home,
  { paymentPassword, keyId }: { paymentPassword: string; keyId: string },
): Promise<void> {
  const {
    database,
    payouts: service,
    payoutApproval,
    batchApproval,
    withdrawalApproval,
    refundApproval,
    approvalRules,
    teamApproval,
    accessKeyApproval,
    ipAddressApproval,
    endpointApproval,
  } = services;
  const { merchantId } = home;
  const [clerk, approver] = await database.asMerchant(
    merchantId,
    async (tx) => [await memberWith(tx, 'FINANCE'), await memberWith(tx, 'APPROVER')] as const,
  );
  // Nobody of the demo has a second factor, so its approvals are made without one.
  const approvals = new ApprovalService({
    database,
    authorize: async () => undefined,
    effects: {
      payout: payoutApproval,
      batch: batchApproval,
      withdrawal: withdrawalApproval,
      refund: refundApproval,
      rules: approvalRules.effects,
      team: teamApproval,
      access: accessApproval({
        key: accessKeyApproval,
        whitelist: ipAddressApproval,
        endpoint: endpointApproval,
      }),
    },
  });
  const decider = { ...personOf(home, approver), twoFactor: 'on' as const };
  const approve = async (requestNo: string) => {
    const { marks: seen } = await new ApprovalReading(database, approvals).history(decider, requestNo);
    const proof = { payment_password: paymentPassword, code: undefined };
    await approvals.approve(decider, request, requestNo, { seen, excluded: [], ...proof });
  };
  for (const [amount, payee, payeeAccount, end] of payouts) {
    const order = {
      channel: 'CN_BANK',
      amount,
      payee,
      payeeAccount,
      bank: 'ICBC',
      bankName: '中国工商银行',
    } as const;
    const asker = personOf(home, clerk);
    const { tradeNo } = await service.apply(asker, request, { ...order, payment_password: paymentPassword });
    const requestNo = await database.asMerchant(merchantId, (tx) => requestOf(tx, tradeNo));
    if (end === 'refused') await approvals.refuse(decider, request, requestNo, '合同尚未签署，请先补齐。');
    if (end === 'withdrawn') await approvals.withdraw(asker, request, requestNo);
    if (end === 'expired') await database.asMerchant(merchantId, (tx) => letExpire(tx, requestNo));
    if (end === 'approved') await approve(requestNo);
  }
  await seedAccessRequests(services, home, approve);
  await approvals.expire();
  await askForRefund(services, home, keyId);
}

/** Asks for a refund that the demo merchant's rule covers, as the shop's system does. */
async function askForRefund({ database, refunds }: Services, home: Home, keyId: string): Promise<void> {
  const tradeNo = await database.asMerchant(home.merchantId, (tx) => unsettledFrom(tx, refundFromMinor));
  const shop = { kind: 'program', home, keyId, callbackUrl: null } as const;
  if (tradeNo !== undefined) await refunds.requestWhole(shop, request, { tradeNo });
}

/**
 * Creates requests for changes of the whitelist: one that was approved, and one that waits. The rule that asked for them ends, so that
 * visitors of the demo can change the access key by themselves.
 */
async function seedAccessRequests(
  { database, ipAddress, approvalRules }: Services,
  home: Home,
  approve: (requestNo: string) => Promise<void>,
): Promise<void> {
  const { merchantId } = home;
  const developer = await database.asMerchant(merchantId, (tx) => memberWith(tx, 'DEVELOPER'));
  const asker = personOf(home, developer);
  const ask = async (added: string) => {
    const lines = [...(await ipAddress.find(merchantId)).addresses, added];
    return ipAddress.set(asker, request, { addresses: lines.join('\n') });
  };
  const accessRule = { ...one, kind: 'access' as const, amountMinor: '0' };
  await approvalRules.setFor(merchantId, operator, { rules: [accessRule, ...rules], days });
  const first = await ask('203.0.113.24');
  if (first !== undefined) await approve(first);
  await ask('198.51.100.0/28');
  await approvalRules.setFor(merchantId, operator, { rules, days });
}
