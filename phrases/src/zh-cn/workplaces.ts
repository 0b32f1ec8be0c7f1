import type { workplaces as en } from '../en/workplaces.ts';
import type { Translation } from '../phrases.ts';

export const workplaces: Translation<typeof en> = {
  title: '选择商户',
  other: '选择其他商户',
  text: '您为多个商户工作。登录后可随时在顶栏切换。',
  last: '上次使用',
  unavailable: '已暂停，无法使用',
  switch: '商户：{{name}}',
  switched: '您已切换到其他商户',
  switchedText:
    '此标签页是为 {{name}} 打开的，现已断开连接，以免以错误的商户进行操作。请重新加载，以继续使用切换后的商户。',
  reload: '重新加载',
  none: '您的商户目前均无法使用，请联系客服。',
};
