import type { Language } from './language.ts';

const en = {
  languageName: 'English',
  bank: 'Sandbox bank',
  noRealMoney: 'no real money',
  description: 'For',
  reference: 'Order number',
  payBefore: 'Pay before',
  confirm: 'Confirm payment',
  decline: 'Decline',
  back: 'Back to the shop',
  checkAgain: 'Check again',
  late: 'The time for this order is over. A transfer that was under way can still be confirmed; it will arrive late.',
  title: {
    payable: 'Confirm this payment?',
    processing: 'Payment in process',
    paid: 'Payment made',
    refused: 'Payment refused',
    cancelled: 'Order cancelled',
    expired: 'Order expired',
    unknown: 'No such order',
  },
  hint: {
    payable: 'Check the amount and the order number first.',
    processing: 'You have confirmed. The bank will report the payment by itself; you need not wait here.',
    paid: 'The shop is told by itself. You can close this page.',
    refused: 'No money was moved.',
    cancelled: 'The shop has cancelled this order. No money was moved.',
    expired: 'This order can no longer be paid. Ask the shop for a new one.',
    unknown: 'Check the address, or ask the shop for a new payment link.',
  },
  reason: {
    'insufficient funds': 'The account does not hold enough money.',
    'declined by payer': 'You declined this payment.',
  },
};

/** Every sentence of the payer's page. */
export type PayPagePhrases = typeof en;

const zhCn: PayPagePhrases = {
  languageName: '简体中文',
  bank: '沙盒银行',
  noRealMoney: '非真实资金',
  description: '用途',
  reference: '订单号',
  payBefore: '支付截止时间',
  confirm: '确认付款',
  decline: '拒绝付款',
  back: '返回商家',
  checkAgain: '重新查询',
  late: '该订单已超过支付时间。已在途的转账仍可确认，但到账会延迟。',
  title: {
    payable: '确认支付此订单？',
    processing: '付款处理中',
    paid: '付款成功',
    refused: '付款被拒绝',
    cancelled: '订单已取消',
    expired: '订单已过期',
    unknown: '订单不存在',
  },
  hint: {
    payable: '请先核对金额和订单号。',
    processing: '您已确认付款，银行会自动通知结果，无需在此等待。',
    paid: '银行会自动通知商家，您可以关闭此页面。',
    refused: '未发生任何扣款。',
    cancelled: '商家已取消该订单，未发生任何扣款。',
    expired: '该订单已无法支付，请联系商家重新下单。',
    unknown: '请检查网址，或向商家索取新的付款链接。',
  },
  reason: {
    'insufficient funds': '账户余额不足。',
    'declined by payer': '您拒绝了此笔付款。',
  },
};

const vi: PayPagePhrases = {
  languageName: 'Tiếng Việt',
  bank: 'Ngân hàng thử nghiệm',
  noRealMoney: 'không phải tiền thật',
  description: 'Nội dung',
  reference: 'Mã đơn hàng',
  payBefore: 'Thanh toán trước',
  confirm: 'Xác nhận thanh toán',
  decline: 'Từ chối',
  back: 'Quay lại cửa hàng',
  checkAgain: 'Kiểm tra lại',
  late: 'Đơn hàng đã quá hạn thanh toán. Giao dịch đang chuyển vẫn có thể xác nhận nhưng tiền sẽ đến muộn.',
  title: {
    payable: 'Xác nhận khoản thanh toán này?',
    processing: 'Đang xử lý thanh toán',
    paid: 'Thanh toán thành công',
    refused: 'Thanh toán bị từ chối',
    cancelled: 'Đơn hàng đã hủy',
    expired: 'Đơn hàng đã hết hạn',
    unknown: 'Không có đơn hàng này',
  },
  hint: {
    payable: 'Vui lòng kiểm tra số tiền và mã đơn hàng trước.',
    processing: 'Bạn đã xác nhận. Ngân hàng sẽ tự động báo kết quả, bạn không cần chờ ở đây.',
    paid: 'Cửa hàng sẽ được thông báo tự động. Bạn có thể đóng trang này.',
    refused: 'Không có khoản tiền nào bị trừ.',
    cancelled: 'Cửa hàng đã hủy đơn hàng này. Không có khoản tiền nào bị trừ.',
    expired: 'Đơn hàng này không thể thanh toán nữa. Vui lòng đặt đơn mới tại cửa hàng.',
    unknown: 'Vui lòng kiểm tra địa chỉ hoặc xin cửa hàng liên kết thanh toán mới.',
  },
  reason: {
    'insufficient funds': 'Tài khoản không đủ tiền.',
    'declined by payer': 'Bạn đã từ chối khoản thanh toán này.',
  },
};

/** The page's sentences by language; each language has them all. */
export const payPagePhrases: Readonly<Record<Language, PayPagePhrases>> = { en, 'zh-cn': zhCn, vi };
