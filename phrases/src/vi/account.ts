import type { account as en } from '../en/account.ts';
import type { Translation } from '../phrases.ts';

export const account: Translation<typeof en> = {
  title: 'Tài khoản',
  available: 'Số dư khả dụng',
  availableHint: 'Có thể chi hộ hoặc rút ngay.',
  locked: 'Số dư phong tỏa',
  lockedHint: 'Phong tỏa cho các lệnh chi hộ và rút tiền đang xử lý.',
  balance: 'Số dư',
  balanceHint: 'Tổng số dư khả dụng và số dư phong tỏa.',
  total: 'Tổng số tiền',
  totalHint: 'Tổng số dư và tiền chưa quyết toán.',
  ofWhichUnsettled: 'trong đó chưa quyết toán: {{amount}}',
};
