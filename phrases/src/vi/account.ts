import type { account as en } from '../en/account.ts';
import type { Translation } from '../phrases.ts';

export const account: Translation<typeof en> = {
  title: 'Tài khoản',
  available: 'Số dư khả dụng',
  availableHint: 'Có thể dùng ngay để chi hộ hoặc rút tiền.',
  locked: 'Số dư phong tỏa',
  lockedHint: 'Số tiền phong tỏa cho các lệnh chi hộ và rút tiền đang xử lý.',
  balance: 'Số dư',
  balanceHint: 'Bằng số dư khả dụng cộng số dư phong tỏa.',
  total: 'Tổng số dư',
  totalHint: 'Bằng số dư cộng tiền chưa quyết toán.',
  ofWhichUnsettled: 'trong đó chưa quyết toán: {{amount}}',
};
