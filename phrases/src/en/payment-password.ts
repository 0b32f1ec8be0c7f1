export const paymentPassword = {
  title: 'Payment password',
  set: 'Set payment password',
  change: 'Change payment password',
  intro: 'It is asked for whenever money leaves the account: payouts and withdrawals. It is yours alone.',
  current: 'Current payment password',
  next: 'New payment password',
  again: 'Confirm new payment password',
  hint: 'At least 6 characters.',
  locked: 'Too many wrong payment passwords. Try again in {{minutes}} min.',
};
