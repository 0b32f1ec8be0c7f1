import type { passkeys as en } from '../en/passkeys.ts';
import type { Translation } from '../phrases.ts';

export const passkeys: Translation<typeof en> = {
  title: '通行密钥',
  intro: '用您的设备或安全密钥代替身份验证器中的验证码。',
  add: '添加通行密钥',
  addTitle: '添加通行密钥',
  name: '名称',
  nameHint: '便于区分，例如所在设备的名称。',
  make: '继续',
  added: '通行密钥已添加',
  remove: '移除',
  removeNamed: '移除 {{name}}',
  removed: '通行密钥已移除',
  lastUsed: '上次使用 {{time}}',
  neverUsed: '尚未使用',
  notHere: '通过 IP 地址访问时无法使用通行密钥。',
  openAt: '请改用以下地址访问：{{address}}',
  notShown: '未能读取通行密钥，请重试。',
  willBeAsked: '提交时需使用您的通行密钥确认。',
  codeOrPasskey: '身份验证器中的 6 位数字；留空则使用通行密钥',
  use: '使用通行密钥',
  challengeText: '请用设备或安全密钥上的通行密钥确认。',
};
