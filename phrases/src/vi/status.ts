import type { status as en } from '../en/status.ts';
import type { Translation } from '../phrases.ts';

export const status: Translation<typeof en> = {
  title: 'Trạng thái hệ thống',
  sampled: 'Đo gần nhất: {{time}}',
  neverSampled: 'Chưa có lần đo nào',
  overall: {
    operational: 'Mọi dịch vụ hoạt động bình thường',
    degraded: 'Một số dịch vụ gặp trục trặc',
    down: 'Dịch vụ đang gián đoạn',
  },
  affected: 'Bị ảnh hưởng: {{names}}',
  unreachable: 'Hiện không đọc được dữ liệu',
  unreachableText:
    'Lúc này chỉ biết chắc điều đó. Trang này tự thử lại sau mỗi vài giây và hiển thị đầy đủ ngay khi có thể.',
  old: 'Nội dung đang hiển thị được đo lúc {{time}}.',
  samplesOld:
    'Vài phút nay chưa có lần đo mới được ghi lại. Trạng thái là số liệu đo tức thời; lịch sử có khoảng trống.',
  now: 'Hiện tại và 90 ngày qua',
  component: {
    api: 'Lệnh gọi của trang quản trị và Open API',
    database: 'Cơ sở dữ liệu',
    jobs: 'Tác vụ nền (quyết toán, gửi lệnh chi hộ, callback)',
  },
  kind: { collection: '{{channel}}: thu hộ', payout: '{{channel}}: chi hộ' },
  state: {
    operational: 'Bình thường',
    degraded: 'Trục trặc',
    down: 'Gián đoạn',
    tooFew: 'Quá ít giao dịch để đánh giá',
    closed: 'Đã đóng',
  },
  explained:
    'Tỷ lệ và thời gian là của 1 giờ qua; số liệu cơ sở dữ liệu và thời gian chờ là tức thời. Kênh được đánh giá theo giao dịch của tất cả merchant, chỉ khi đủ số lượng.',
  figures: {
    share: 'Phản hồi không lỗi',
    paidShare: 'Thành công, trên số đã có kết quả',
    medianMs: 'Một nửa mất không quá',
    p95Ms: '95% mất không quá',
    answerMs: 'Phản hồi trong',
    waitMs: 'Tác vụ đến hạn chờ lâu nhất',
    callbackWaitMs: 'Callback đến hạn chờ lâu nhất',
  },
  nothingWaits: 'không có',
  collectionDelay:
    'Thời gian thu hộ tính từ khi tạo đơn đến khi thanh toán, gồm cả thời gian của người trả tiền.',
  strip: {
    first: '90 ngày trước',
    last: 'Hôm nay',
    summary_one: '{{share}} thời gian được đo không có lỗi, có đo {{count}} trong 90 ngày',
    summary_other: '{{share}} thời gian được đo không có lỗi, có đo {{count}} trong 90 ngày',
    none: 'Không có số liệu đo trong 90 ngày qua',
    dayNone: '{{day}}: không có số liệu',
    dayGood: '{{day}}: đo {{measured}}, không có lỗi',
    day: '{{day}}: đo {{measured}}, trong đó trục trặc {{degraded}}, gián đoạn {{down}}',
    faulty_one: '{{count}} ngày có lỗi',
    faulty_other: '{{count}} ngày có lỗi',
    legend: 'Mỗi ngày một cột: cột đầy là không có lỗi, cột ngắn là có lỗi, vạch thấp là không có số liệu.',
  },
  incidents: {
    title: 'Sự cố trong 90 ngày qua',
    none: 'Không có sự cố nào trong 90 ngày.',
    bySamples: '{{component}}: {{state}}',
    open: 'Đang diễn ra',
    over: 'Đã kết thúc',
    from: 'Từ {{start}}',
    range: '{{start}} – {{end}}, kéo dài {{duration}}',
    unwatched: 'Đã đóng vì suốt một giờ không có số liệu để đánh giá.',
    recovered: 'Các lần đo đã bình thường trở lại.',
    stage: {
      investigating: 'Đang kiểm tra',
      identified: 'Đã xác định nguyên nhân',
      monitoring: 'Đang theo dõi',
      resolved: 'Đã khắc phục',
    },
    note: 'Ghi chú',
  },
};
