import type { ApprovalRuleInput } from '@hengfu/contract/approval-rules';
import type { ShownMark } from '@hengfu/contract/approvals';
import type { RoleCode } from '@hengfu/contract/permissions';
import { SoftPasskey } from './soft-passkey.ts';
import { type TestMerchant, type TestProduct, testPassword } from './test-product.ts';
import type { Answer, Visitor } from './visitor.ts';

const paymentPassword = '888888';
const approvals = '/api/merchant/approvals';
const guestPassword = 'Quiet-river-2026';

/** Sets a payment password and binds a passkey, as far as the person may. Returns the person's ID. */
async function prepare(
  visitor: Visitor,
  password: string,
  passkey: SoftPasskey | undefined,
): Promise<string> {
  await visitor.post('/api/user/confirm-password', { password });
  const set = { payment_password: paymentPassword, payment_password_confirmation: paymentPassword };
  await visitor.send('PUT', '/api/merchant/payment-password', set);
  await passkey?.bind(visitor);
  return (await visitor.get('/api/merchant/user')).json.data.id;
}
const batches = '/api/merchant/payout-batches';

/** A signed-in person with a payment password and, unless it is left unbound, a passkey. */
export class Colleague {
  readonly visitor: Visitor;
  readonly id: string;
  readonly #passkey: SoftPasskey | undefined;
  readonly #signIn: () => Promise<Visitor>;

  private constructor(
    visitor: Visitor,
    id: string,
    { passkey, signIn }: { passkey: SoftPasskey | undefined; signIn: () => Promise<Visitor> },
  ) {
    this.visitor = visitor;
    this.id = id;
    this.#passkey = passkey;
    this.#signIn = signIn;
  }

  static async join(
    product: TestProduct,
    merchant: TestMerchant,
    { role, name, hasFactor = true }: { role: RoleCode; name: string; hasFactor?: boolean },
  ): Promise<Colleague> {
    const visitor = await product.person(merchant, role, name);
    const passkey = hasFactor ? new SoftPasskey(product.url) : undefined;
    const id = await prepare(visitor, testPassword, passkey);
    const signIn = async () => {
      const other = product.visitor();
      await other.signIn(`${name}@${merchant.code}.test`, testPassword);
      await passkey?.pass(other);
      return other;
    };
    return new Colleague(visitor, id, { passkey, signIn });
  }

  /** Joins by the link of an invitation, with a new account; undefined if the link is refused. */
  static async joinBy(product: TestProduct, token: string): Promise<Colleague | undefined> {
    const visitor = product.visitor();
    await visitor.get('/api/csrf-cookie');
    const account = { name: 'Guest', password: guestPassword, password_confirmation: guestPassword };
    const { status, json } = await visitor.post(`/api/invitations/${token}/acceptance`, account);
    if (status !== 200 || !json.signed_in) return undefined;
    const passkey = new SoftPasskey(product.url);
    const id = await prepare(visitor, guestPassword, passkey);
    return new Colleague(visitor, id, {
      passkey,
      signIn: () => Promise.reject(new Error('a guest has one browser')),
    });
  }

  /** The same person, in a second browser. */
  async elsewhere(): Promise<Colleague> {
    return new Colleague(await this.#signIn(), this.id, { passkey: this.#passkey, signIn: this.#signIn });
  }

  /** Shows the passkey, if one is bound: it counts for the next call that asks for a second factor. */
  async showFactor(): Promise<void> {
    await this.#passkey?.show(this.visitor);
  }

  /** Makes a call that needs the payment password and the second factor. */
  async authorized(method: string, path: string, body: object = {}): Promise<Answer> {
    await this.#passkey?.show(this.visitor);
    return this.visitor.send(method, path, { payment_password: paymentPassword, ...body });
  }

  /** Makes a call that needs the second factor alone. */
  async proven(method: string, path: string, body: object = {}): Promise<Answer> {
    await this.#passkey?.show(this.visitor);
    return this.visitor.send(method, path, body);
  }

  /** Makes a call that reads something for which the second factor must have been shown. */
  async authorizedGet(path: string): Promise<Answer> {
    await this.#passkey?.show(this.visitor);
    return this.visitor.get(path);
  }

  /** Sends a payout of an amount to an account. */
  pay(amount: string, payeeAccount = '6222021234567890128', more: object = {}): Promise<Answer> {
    return this.authorized('POST', '/api/merchant/payouts', {
      channel: 'CN_BANK',
      amount,
      payee: '王芳',
      payeeAccount,
      bank: 'ICBC',
      bankName: '中国工商银行',
      branchName: '北京朝阳支行',
      ...more,
    });
  }

  setRules(
    rules: readonly ApprovalRuleInput[],
    more: { days?: number; version?: string } = {},
  ): Promise<Answer> {
    return this.authorized('PUT', '/api/merchant/approval-rules', { rules, days: 7, ...more });
  }

  /** Submits a batch of payouts, with the total that the check returns. */
  async payBatch(rows: readonly object[], more: object = {}): Promise<Answer> {
    const content = { channel: 'CN_BANK', rows };
    const { data } = (await this.visitor.post(`${batches}/check`, content)).json;
    const body = { ...content, name: 'salaries.csv', total: data.total, ...more };
    return this.authorized('POST', batches, body);
  }

  async batch(batchNo: string) {
    return (await this.visitor.get(`${batches}/${batchNo}`)).json.data;
  }

  /** Lists up to 100 payouts of a batch, in the order of their rows. */
  async payoutsOf(
    batchNo: string,
  ): Promise<{ trade_no: string; batch_line: number; [field: string]: unknown }[]> {
    const { data } = (await this.visitor.get(`/api/merchant/payouts?batch_no=${batchNo}&limit=100`)).json;
    return data.toSorted(
      (one: { batch_line: number }, other: { batch_line: number }) => one.batch_line - other.batch_line,
    );
  }

  /** Approves a request, having seen every mark that it has now. */
  async approve(requestNo: string, seen?: readonly ShownMark[], more: object = {}): Promise<Answer> {
    const marks = seen ?? (await this.request(requestNo))?.marks ?? [];
    return this.authorized('POST', `${approvals}/${requestNo}/approval`, { seen: marks, ...more });
  }

  refuse(requestNo: string, reason = 'not ordered'): Promise<Answer> {
    return this.visitor.post(`${approvals}/${requestNo}/refusal`, { reason });
  }

  withdraw(requestNo: string): Promise<Answer> {
    return this.visitor.send('DELETE', `${approvals}/${requestNo}`, {});
  }

  async request(requestNo: string) {
    return (await this.visitor.get(`${approvals}/${requestNo}`)).json.data;
  }

  /** Returns the number of the request for an order. */
  async requestOf(tradeNo: string): Promise<string> {
    const { data } = (await this.visitor.get(`${approvals}?subject_no=${tradeNo}`)).json;
    return data[0]?.request_no;
  }

  async waitingForMe(): Promise<string[]> {
    const { data } = (await this.visitor.get(`${approvals}?view=mine`)).json;
    return data.map(({ request_no }: { request_no: string }) => request_no);
  }

  async payout(tradeNo: string) {
    return (await this.visitor.get(`/api/merchant/payouts/${tradeNo}`)).json.data;
  }

  /** Returns the available and the locked funds. */
  async funds(): Promise<[string, string]> {
    const { data } = (await this.visitor.get('/api/merchant/account')).json;
    return [data.available, data.locked];
  }
}

/** A rule for payouts: `approvers` people with the role APPROVER, from an amount on. */
export const payoutRule = (
  amount: string,
  approvers = 1,
  more: Partial<ApprovalRuleInput> = {},
): ApprovalRuleInput => ({
  kind: 'payout',
  amount,
  approvers,
  roles: ['APPROVER'],
  people: [],
  ...more,
});

/** A merchant with rules, and people who ask and approve. */
export interface Office {
  merchant: TestMerchant;
  owner: Colleague;
  clerk: Colleague;
  approvers: [Colleague, Colleague];
}

/** Makes a merchant with funds (10,000.00 less 0.6 % of them), an owner, a clerk, two approvers, and rules. */
export async function openOffice(
  product: TestProduct,
  code: string,
  { rules, funds = '10000.00' }: { rules: readonly ApprovalRuleInput[]; funds?: string },
): Promise<Office> {
  const merchant = await product.merchant(code);
  await product.fund(merchant, funds);
  const join = (role: 'ROOT' | 'FINANCE' | 'APPROVER', name: string) =>
    Colleague.join(product, merchant, { role, name });
  const owner = await join('ROOT', 'owner');
  const clerk = await join('FINANCE', 'clerk');
  const approvers: [Colleague, Colleague] = [
    await join('APPROVER', 'first'),
    await join('APPROVER', 'second'),
  ];
  const { status } = await owner.setRules(rules);
  if (status !== 200) throw new Error(`setting the first rules replied ${status}`);
  return { merchant, owner, clerk, approvers };
}
