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
  capsLock: '大写锁定已开启',
  badCredentials: '邮箱或密码不正确。',
  demoTitle: '演示账号',
  demoUse: '填入',
  signOut: '退出登录',
  signedOut: '已成功退出登录',
  twoFactorPending: '该账号需要双重验证登录。',
};
