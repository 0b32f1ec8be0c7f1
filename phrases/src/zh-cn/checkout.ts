import type { checkout as en } from '../en/checkout.ts';
import type { Translation } from '../phrases.ts';

export const checkout: Translation<typeof en> = {
  title: '收银台',
  intro: '付款人在收银台、收款链接和收据上看到的商家形象。',
  form: '外观',
  name: '显示名称',
  nameHint: '留空则显示：{{name}}。',
  color: '品牌色',
  colorHint: '用于按钮和链接。留空则使用默认颜色。',
  pick: '选取颜色',
  reset: '恢复默认',
  nearest: '改用 {{color}}',
  logo: 'Logo',
  logoHint: 'PNG、JPEG 或 WebP，最大 2 MB。建议使用正方形图片，较大的图片会自动缩小。',
  removeLogo: '移除 Logo',
  save: '保存',
  preview: '预览',
  light: '浅色',
  dark: '深色',
  theme: '付款人设备',
  sampleSubject: '茶叶礼盒两份',
  buttonText: '按钮文字：{{color}}，对比度 {{ratio}}:1。',
  white: '白色',
  black: '黑色',
  previewLabel: '付款人将看到的收银台',
};
