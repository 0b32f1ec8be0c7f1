import type { session as en } from '../en/session.ts';
import type { Translation } from '../phrases.ts';

export const session: Translation<typeof en> = {
  title: '登录',
  email: '邮箱',
  password: '密码',
  submit: '登录',
  submitting: '登录中…',
  remember: '在此设备上保持登录',
  showPassword: '显示密码',
  hidePassword: '隐藏密码',
  capsLock: '大写锁定（Caps Lock）已开启',
  badCredentials: '邮箱或密码不正确。',
  demoTitle: '演示账号',
  demoUse: '填入',
  signOut: '退出登录',
  signedOut: '已成功退出登录',
  ended: '登录已失效，请重新登录。',
  retryIn: '请 {{seconds, wait}}后再试。',
  subtitle: '登录商户后台',
  tagline: '每一笔，账账相符。',
  taglineText: '代收、结算、代付，所有数据出自同一套账。',
  demoHint: '这是演示环境，数据均为虚构。',
  againText: '重新登录后即可继续，已填写的内容不会丢失。',
  leave: '前往登录页',
  haveUnlockCode: '我有解锁码',
  unlockCode: '客服提供的解锁码',
};
