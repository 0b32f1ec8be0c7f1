export const account = {
  title: 'Account',
  available: 'Available funds',
  availableHint: 'Can be paid out or withdrawn now.',
  locked: 'Locked funds',
  lockedHint: 'On hold for payouts and withdrawals in progress.',
  balance: 'Balance',
  balanceHint: 'Available plus locked funds.',
  total: 'Total funds',
  totalHint: 'Balance plus unsettled funds.',
  ofWhichUnsettled: 'including {{amount}} unsettled',
};
