import type { ipAddress as en } from '../en/ip-address.ts';
import type { Translation } from '../phrases.ts';

export const ipAddress: Translation<typeof en> = {
  title: 'IP 白名单',
  intro: '您的程序只能从以下地址调用开放接口。名单为空时拒绝所有调用。',
  label: 'IP 白名单',
  hint: '每行一个地址或网段（CIDR），支持 IPv4 和 IPv6。',
  check: '查看影响',
  save: '保存',
  yoursIn: '您当前的地址 {{address}} 可以通过。',
  yoursOut: '您当前的地址 {{address}} 将被拒绝。',
  calls: '近 7 天的调用',
  noCalls: '近 7 天没有程序调用。',
  address: '地址',
  count: '调用次数',
  outcome: '使用此名单',
  allowed: '允许',
  refused: '拒绝',
};
