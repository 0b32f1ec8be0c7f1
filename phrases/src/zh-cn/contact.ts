import type { contact as en } from '../en/contact.ts';
import type { Translation } from '../phrases.ts';

export const contact: Translation<typeof en> = {
  title: '联系我们',
  intro: '可通过以下方式联系客服。咨询订单问题时，请准备好订单号。',
  kind: {
    email: '邮箱',
    phone: '电话',
    whatsapp: 'WhatsApp',
    telegram: 'Telegram',
    wechat: '微信',
    website: '网站',
  },
  empty: '暂未公布联系方式，请联系您的客户经理。',
  yours: '联系时请提供',
  merchant: '商户',
  signedInAs: '登录账号',
  trouble: '服务异常？',
  toStatus: '查看系统状态',
  neverAsk: '客服绝不会索要密码、验证码或接口密钥。',
};
