import type { quotas as en } from '../en/quotas.ts';
import type { Translation } from '../phrases.ts';

export const quotas: Translation<typeof en> = {
  exportsOfMerchant: 'lượt xuất dữ liệu chưa hoàn tất cho mỗi merchant',
  exportsOfUser: 'lượt xuất dữ liệu chưa hoàn tất cho mỗi người dùng',
  batchesOfMerchant: 'lô chi hộ chưa hoàn tất cho mỗi merchant',
  wipesOfMerchant: 'lần xóa sạch dữ liệu thử nghiệm trong 24 giờ',
  linksOfMerchant: 'liên kết thanh toán cho mỗi merchant',
  callbackEndpointsOfMerchant: 'endpoint nhận callback cho mỗi merchant',
  topupsOfMerchant: 'lệnh nạp tiền đang chờ duyệt cho mỗi merchant',
  keysOfMerchant: 'khóa truy cập cho mỗi merchant',
  replacedKeysOfMerchant: 'khóa cũ còn hiệu lực cho mỗi merchant',
  passkeysOfUser: 'passkey cho mỗi người dùng',
  membersOfMerchant: 'thành viên và lời mời đang chờ cho mỗi merchant',
  ownRolesOfMerchant: 'vai trò tự tạo cho mỗi merchant',
  evidenceOfMember: 'tệp đã tải lên chưa thuộc yêu cầu nào cho mỗi người',
  evidenceOfMemberDaily: 'tệp mỗi người tải lên trong 24 giờ',
  evidenceDaily: 'tệp tất cả mọi người tải lên trong 24 giờ',
  streamsOfUser: 'trang đang mở cho mỗi người dùng',
  streamsOfMerchant: 'trang đang mở cho mỗi merchant',
};
