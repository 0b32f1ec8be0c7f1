import type { PayLinkOrder } from '@hengfu/contract/pay-links';
import { paymentLinkInput } from '@hengfu/contract/payment-links';
import type { Services } from '#composition/services.ts';
import type { Home, RequestInfo } from '#domain/caller.ts';
import { chooseChannel } from './links.sql.ts';
import { personOf } from './people.ts';
import { receiptPicture } from './picture.ts';

const channel = 'CN_BANK';
const request: RequestInfo = { id: 'demo', address: '127.0.0.1', userAgent: undefined, language: 'zh-cn' };

type Payment = Omit<PayLinkOrder, 'attempt' | 'quantity'> & { quantity?: number; isUnpaid?: true };

/** The links of the demo merchant, in every state, with their payments. */
const links: readonly { link: Record<string, unknown>; payments: readonly Payment[]; isOff?: true }[] = [
  {
    link: {
      title: '秋季茶礼盒预订',
      description: '安溪铁观音与正山小种各两罐，下单后三个工作日内发货。',
      amount: '168.00',
      maxQuantity: 5,
      asked: { known: ['name', 'reference'], own: ['收货城市'] },
      note: '感谢订购！发货后我们会用短信告知快递单号。',
      picture: receiptPicture(7).toString('base64'),
    },
    payments: [
      { name: '刘洋', reference: 'A-1021', own: ['杭州'] },
      { name: '陈静', reference: 'A-1022', own: ['成都'], quantity: 3 },
      { name: '马超', reference: 'A-1025', own: ['西安'], quantity: 2 },
      { name: '何琳', reference: 'A-1027', own: ['苏州'], isUnpaid: true },
    ],
  },
  {
    link: { title: '门店收款', description: '请输入与收银员确认的金额。', least: '1.00', most: '5000.00' },
    payments: [{ amount: '36.50' }, { amount: '128.00' }, { amount: '9.90' }],
  },
  {
    link: {
      title: '企业团购定金',
      amount: '2000.00',
      maxUses: 1,
      asked: { known: ['name', 'email'], own: [] },
    },
    payments: [{ name: '宁波海川贸易有限公司', email: 'purchase@haichuan.test' }],
  },
  {
    link: { title: '春季品鉴会门票', amount: '88.00', maxUses: 40, expiresAt: '2026-05-01T00:00:00+08:00' },
    payments: [],
  },
  { link: { title: '旧款礼盒清仓', amount: '59.00' }, payments: [{}], isOff: true },
];

/** Creates payment links in every state for the first demo merchant. */
export async function seedLinks(services: Services, home: Home, userId: bigint): Promise<void> {
  if (home.code !== 'demo') return;
  const { paymentLinks, payLinks } = services;
  const person = personOf(home, userId);
  for (const [nth, { link, payments, isOff = false }] of links.entries()) {
    const { linkNo, token } = await paymentLinks.create(person, request, paymentLinkInput.parse(link));
    for (const [index, { isUnpaid, quantity = 1, ...order }] of payments.entries()) {
      const attempt = `demo-attempt-${nth}-${index}`;
      const url = await payLinks.order(token, { ...order, quantity, attempt }, request);
      if (!isUnpaid) await pay(services, home, url.slice(url.lastIndexOf('/') + 1));
    }
    if (isOff) await paymentLinks.turn(person, request, linkNo, false);
  }
}

/** Pays an order through the demo's channel, as its payer does. */
async function pay({ database, collections }: Services, home: Home, cashierToken: string): Promise<void> {
  const { tradeNo, amount } = await database.asMerchant(home.merchantId, (tx) =>
    chooseChannel(tx, cashierToken, channel),
  );
  await collections.report({
    reference: tradeNo,
    status: 'paid',
    bankReference: `D${tradeNo.slice(1)}`,
    amountMinor: amount,
    currency: home.currency,
    reason: null,
  });
}
