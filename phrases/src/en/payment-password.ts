export const paymentPassword = {
  title: 'Payment password',
  set: 'Set payment password',
  change: 'Change payment password',
  intro: 'Required for every payout and withdrawal. Do not share it with anyone.',
  current: 'Current payment password',
  forgotten: 'Forgot it? Contact our support team.',
  next: 'New payment password',
  again: 'Confirm new payment password',
  hint: 'At least 6 characters.',
  locked: 'Too many incorrect payment passwords. Try again in {{minutes}} min.',
};
