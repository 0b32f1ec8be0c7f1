import type { status as en } from '../en/status.ts';
import type { Translation } from '../phrases.ts';

export const status: Translation<typeof en> = {
  title: 'Trạng thái hệ thống',
  sampled: 'Kiểm tra gần nhất: {{time}}',
  neverSampled: 'Chưa kiểm tra lần nào',
  overall: {
    operational: 'Mọi dịch vụ hoạt động bình thường',
    degraded: 'Một số dịch vụ gặp sự cố',
    down: 'Dịch vụ đang gián đoạn',
  },
  affected: 'Bị ảnh hưởng: {{names}}',
  unreachable: 'Tạm thời không tải được dữ liệu',
  unreachableText:
    'Hiện chưa có thêm thông tin. Trang này tự thử lại sau mỗi vài giây và sẽ hiển thị đầy đủ khi hệ thống hoạt động trở lại.',
  paused: 'Thanh toán đang tạm dừng trong giây lát',
  pausedText:
    'Thường chỉ mất vài giây, sau đó thanh toán tự động tiếp tục. Các đơn đã xác nhận được giữ nguyên. Nếu một đơn chưa được xác nhận, hãy kiểm tra danh sách trước khi gửi lại.',
  old: 'Đang hiển thị kết quả kiểm tra lúc {{time}}.',
  samplesOld:
    'Vài phút nay chưa ghi nhận kết quả kiểm tra mới. Trạng thái hiện tại vẫn được cập nhật; lịch sử bị thiếu số liệu.',
  now: 'Hiện tại và 90 ngày qua',
  component: {
    api: 'Trang quản trị và Open API',
    database: 'Cơ sở dữ liệu',
    jobs: 'Tác vụ nền (quyết toán, gửi lệnh chi hộ, callback)',
  },
  kind: { collection: '{{channel}}: thu hộ', payout: '{{channel}}: chi hộ' },
  state: {
    operational: 'Bình thường',
    degraded: 'Gặp sự cố',
    down: 'Gián đoạn',
    tooFew: 'Quá ít giao dịch để đánh giá',
    closed: 'Đã đóng',
  },
  explained:
    'Tỷ lệ và thời gian tính trong 1 giờ qua; số liệu cơ sở dữ liệu và thời gian chờ là tức thời. Kênh được đánh giá theo giao dịch của tất cả merchant và chỉ khi có đủ giao dịch.',
  figures: {
    share: 'Tỷ lệ phản hồi thành công',
    paidShare: 'Tỷ lệ thành công (đơn đã có kết quả)',
    medianMs: 'Thời gian trung vị',
    p95Ms: '95% hoàn tất trong',
    answerMs: 'Thời gian phản hồi',
    waitMs: 'Tác vụ chờ lâu nhất',
    callbackWaitMs: 'Callback chờ lâu nhất',
  },
  nothingWaits: 'Không tồn đọng',
  collectionDelay:
    'Thời gian thu hộ tính từ khi tạo đơn đến khi thanh toán, gồm cả thời gian thao tác của người thanh toán.',
  strip: {
    first: '90 ngày trước',
    last: 'Hôm nay',
    summary_one: 'Khả dụng {{share}} thời gian giám sát, có số liệu {{count}}/90 ngày',
    summary_other: 'Khả dụng {{share}} thời gian giám sát, có số liệu {{count}}/90 ngày',
    none: 'Không có số liệu trong 90 ngày qua',
    dayNone: '{{day}}: không có số liệu',
    dayGood: '{{day}}: giám sát {{measured}}, không có sự cố',
    day: '{{day}}: giám sát {{measured}}, trong đó gặp sự cố {{degraded}}, gián đoạn {{down}}',
    faulty_one: '{{count}} ngày có sự cố',
    faulty_other: '{{count}} ngày có sự cố',
    legend:
      'Mỗi ngày một cột: cột đầy là không có sự cố, cột ngắn là có sự cố, vạch thấp là không có số liệu.',
  },
  incidents: {
    title: 'Sự cố trong 90 ngày qua',
    none: 'Không có sự cố nào trong 90 ngày qua.',
    bySamples: '{{component}}: {{state}}',
    open: 'Đang diễn ra',
    over: 'Đã kết thúc',
    from: 'Từ {{start}}',
    range: '{{start}} – {{end}}, kéo dài {{duration}}',
    unwatched: 'Tự động đóng sau một giờ không có số liệu.',
    recovered: 'Kết quả kiểm tra đã bình thường trở lại.',
    stage: {
      investigating: 'Đang kiểm tra',
      identified: 'Đã xác định nguyên nhân',
      monitoring: 'Đang theo dõi',
      resolved: 'Đã khắc phục',
    },
    note: 'Ghi chú',
  },
};
