import type { validation as en } from '../en/validation.ts';
import type { Translation } from '../phrases.ts';

export const validation: Translation<typeof en> = {
  required: '此项必填。',
  invalid: '输入的数据不合法！',
  unknownField: '未知参数：{{name}}。',
  tooLong: '内容过长。',
  amount: '请输入金额：仅限数字，小数位不得超过该币种的位数。',
  currency: '请选择币种。',
  currencyNotHome: '币种必须为 {{currency}}。',
  limit: 'limit 必须为 20、50、100 或 200。',
  cursor: '分页游标无效，请从第一页开始。',
  choice: '请选择提供的选项。',
  instant: '请选择开始时间或结束时间。',
  url: '请输入完整的 http 或 https 地址。',
  outTradeNo: '请输入商户订单号：1 至 64 位字母、数字或符号，不含空格。',
  expiresIn: 'expiresIn 必须在 10 到 86400 秒之间。',
  emailRequired: '请输入邮箱地址。',
  email: '请输入有效的邮箱地址。',
  passwordRequired: '请输入登录密码。',
  unsafeText: '内容包含无法保存的字符。',
};
