import type { testCalls as en } from '../en/test-calls.ts';
import type { Translation } from '../phrases.ts';

export const testCalls: Translation<typeof en> = {
  title: '接口文档',
  intro: '开放接口的全部请求，测试模式下可直接在此发送。',
  documents: '文档',
  guide: '开放接口指南',
  quickstart: '快速入门',
  document: 'OpenAPI 文档',
  inTestMode: '在测试模式下可直接在此发送这些请求，不涉及真实资金。',
  key: '接口密钥',
  keyHint: '请求由我们的服务器签名，不会显示密钥内容。请求来自您当前的 IP 地址，权限与所选密钥一致。',
  noKey: '还没有可用的测试密钥。添加后即可在此发送请求。',
  groups: {
    collections: '代收',
    payouts: '代付',
    refunds: '退款',
    settlements: '结算',
    balance: '余额',
  },
  optional: '选填',
  body: '请求内容',
  send: '发送',
  newNumber: '换个单号',
  status: 'HTTP {{status}} · {{ms}} 毫秒',
  entry: '在请求日志中查看',
  signed: '被签名的文本',
  sent: '发送的请求头',
  received: '响应头',
  reply: '响应内容',
  replies: '状态码与错误码',
  notAllowed: '您的 IP 地址不在测试模式的 IP 白名单中。',
};
