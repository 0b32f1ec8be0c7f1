import type { officeAnnouncements as en } from '../en/office-announcements.ts';
import type { Translation } from '../phrases.ts';

export const officeAnnouncements: Translation<typeof en> = {
  title: '公告',
  intro: '商户在后台顶栏下方看到公告，直到自行关闭。',
  add: '发布公告',
  change: '修改',
  end: '立即结束',
  ended: '公告已结束。',
  none: '尚未发布公告。',
  kind: '类型',
  kinds: {
    information: '通知',
    maintenance: '维护',
    warning: '警告',
  },
  states: {
    planned: '待发布',
    shown: '展示中',
    over: '已结束',
  },
  state: '状态',
  text: '英文内容',
  textZhCn: '中文内容',
  textVi: '越南文内容',
  startsAt: '开始时间',
  startsHint: '留空为立即开始。按您浏览器的时区。',
  endsAt: '结束时间',
  endsHint: '留空则一直展示，直到手动结束。',
  merchants: '商户',
  merchantsHint: '商户代码，用空格分隔。留空则发给所有商户。',
  all: '所有商户',
  endsFault: '结束时间必须在将来，且晚于开始时间',
  merchantFault: '没有商户“{{code}}”',
  changeText: '已关闭该公告的人会再次看到。',
};
