import type { Language } from './language.ts';

const en = {
  languageName: 'English',
  bank: 'Sandbox bank',
  noRealMoney: 'test mode, no real money',
  description: 'Description',
  reference: 'Order number',
  payBefore: 'Pay by',
  confirm: 'Confirm payment',
  decline: 'Decline',
  back: 'Back to merchant',
  checkAgain: 'Check again',
  late: 'The payment time for this order has passed. A transfer already in progress can still be confirmed, but will arrive late.',
  title: {
    payable: 'Confirm this payment?',
    processing: 'Payment processing',
    paid: 'Payment successful',
    refused: 'Payment declined',
    cancelled: 'Order cancelled',
    expired: 'Order expired',
    unknown: 'Order not found',
  },
  hint: {
    payable: 'Check the amount and the order number first.',
    processing:
      'You have confirmed the payment. The bank will notify the merchant automatically; you do not need to wait here.',
    paid: 'The merchant is notified automatically. You can close this page.',
    refused: 'You have not been charged.',
    cancelled: 'The merchant cancelled this order. You have not been charged.',
    expired: 'This order can no longer be paid. Ask the merchant for a new one.',
    unknown: 'Check the address, or ask the merchant for a new payment link.',
  },
  reason: {
    'insufficient funds': 'Insufficient funds in the account.',
    'declined by payer': 'You declined this payment.',
  },
};

/** Every sentence of the payer's page. */
export type PayPagePhrases = typeof en;

const zhCn: PayPagePhrases = {
  languageName: '简体中文',
  bank: '沙箱银行',
  noRealMoney: '测试环境，不涉及真实资金',
  description: '用途',
  reference: '订单号',
  payBefore: '支付截止时间',
  confirm: '确认付款',
  decline: '拒绝付款',
  back: '返回商家',
  checkAgain: '重新查询',
  late: '该订单已超过支付时间。已发起的转账仍可确认，但到账会有延迟。',
  title: {
    payable: '确认支付此订单？',
    processing: '付款处理中',
    paid: '付款成功',
    refused: '付款被拒绝',
    cancelled: '订单已取消',
    expired: '订单已超时关闭',
    unknown: '订单不存在',
  },
  hint: {
    payable: '请先核对金额和订单号。',
    processing: '您已确认付款，银行会自动通知结果，无需在此等待。',
    paid: '银行会自动通知商家，您可以关闭此页面。',
    refused: '未发生任何扣款。',
    cancelled: '商家已取消该订单，未发生任何扣款。',
    expired: '该订单已无法支付，请联系商家重新下单。',
    unknown: '请检查网址是否正确，或向商家索取新的付款链接。',
  },
  reason: {
    'insufficient funds': '账户余额不足。',
    'declined by payer': '您拒绝了此笔付款。',
  },
};

const vi: PayPagePhrases = {
  languageName: 'Tiếng Việt',
  bank: 'Ngân hàng thử nghiệm',
  noRealMoney: 'không dùng tiền thật',
  description: 'Nội dung',
  reference: 'Mã đơn hàng',
  payBefore: 'Thanh toán trước',
  confirm: 'Xác nhận thanh toán',
  decline: 'Từ chối',
  back: 'Quay lại cửa hàng',
  checkAgain: 'Kiểm tra lại',
  late: 'Đơn hàng đã quá hạn thanh toán. Giao dịch đang xử lý vẫn có thể được xác nhận nhưng tiền sẽ đến muộn.',
  title: {
    payable: 'Xác nhận khoản thanh toán này?',
    processing: 'Đang xử lý thanh toán',
    paid: 'Thanh toán thành công',
    refused: 'Thanh toán bị từ chối',
    cancelled: 'Đơn hàng đã hủy',
    expired: 'Đơn hàng đã hết hạn',
    unknown: 'Không tìm thấy đơn hàng',
  },
  hint: {
    payable: 'Vui lòng kiểm tra số tiền và mã đơn hàng trước.',
    processing: 'Bạn đã xác nhận. Ngân hàng sẽ tự động báo kết quả, bạn không cần chờ ở đây.',
    paid: 'Cửa hàng sẽ được thông báo tự động. Bạn có thể đóng trang này.',
    refused: 'Không có khoản tiền nào bị trừ.',
    cancelled: 'Cửa hàng đã hủy đơn hàng này. Không có khoản tiền nào bị trừ.',
    expired: 'Đơn hàng này không thể thanh toán nữa. Vui lòng đặt đơn mới tại cửa hàng.',
    unknown: 'Vui lòng kiểm tra địa chỉ hoặc liên hệ cửa hàng để nhận liên kết thanh toán mới.',
  },
  reason: {
    'insufficient funds': 'Tài khoản không đủ số dư.',
    'declined by payer': 'Bạn đã từ chối khoản thanh toán này.',
  },
};

/** The page's sentences by language; each language has them all. */
export const payPagePhrases: Readonly<Record<Language, PayPagePhrases>> = { en, 'zh-cn': zhCn, vi };
