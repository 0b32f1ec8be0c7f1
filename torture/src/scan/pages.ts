/** The console's pages, and the addresses that lead on. */
export const pages: readonly string[] = [
  ...[
    '/',
    '/login',
    '/login?redirect=/dashboard',
    '/authentication?redirect=/dashboard',
    '/redirect/dashboard',
  ],
  ...['/dashboard', '/collection/payments', '/collection/payments?status=paid&trade_no=C1&open=C1'],
  ...['/collection/Settlements', '/behalfPay/apply', '/behalfPay/apply?mode=batch', '/behalfPay/transfers'],
  ...['/behalfPay/transfers?payee=x&open=P1', '/recharge/topup', '/recharge/record', '/withdrawal/apply'],
  ...['/withdrawal/record', '/fund/fundWater', '/fund/dailyReport', '/setting/personalData'],
  ...['/setting/accountSecurity', '/setting/paymentPassword', '/setting/interfaceKey', '/setting/ipAddress'],
  ...['/lineExport', '/contactUs', '/statusPages', '/401', '/403', '/404', '/pay/none?lang=en', '/slip/none'],
  ...['/api/docs', '/api/docs/console.json', '/api/docs/open.json', '/healthz', '/readyz'],
];
