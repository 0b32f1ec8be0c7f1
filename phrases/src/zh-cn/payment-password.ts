import type { paymentPassword as en } from '../en/payment-password.ts';
import type { Translation } from '../phrases.ts';

export const paymentPassword: Translation<typeof en> = {
  title: '支付密码',
  set: '设置支付密码',
  change: '修改支付密码',
  intro: '代付和提现时需要输入支付密码，请勿告知他人。',
  current: '当前支付密码',
  forgotten: '忘记了？请联系客服。',
  next: '新支付密码',
  again: '确认新支付密码',
  hint: '至少 6 位。',
  locked: '支付密码错误次数过多，请 {{minutes}} 分钟后再试。',
};
